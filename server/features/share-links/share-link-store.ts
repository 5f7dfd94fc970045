import { SHARE_LINK_DAYS, SHARE_LINKS_MAX } from '../../contract'
import type { Sources } from '../../core/clock'
import type { Library } from '../../data/library/library'
import type { FileRecord, ShareLinkRecord } from '../../data/records/file-records'
import { AccessLinks } from '../access-links/access-links'
import type { Counts } from '../stats/counts'

type Field = 'name' | 'passwordHash' | 'mostDownloads'

type Fields = Pick<ShareLinkRecord, Field> & { expiresAt: string | undefined }

interface Deps {
  library: Library
  sources: Sources
  sessionKeys: readonly string[]
  counts: Pick<Counts, 'ofAccessLink'>
}

/** The share links of all files. */
export class ShareLinkStore extends AccessLinks<ShareLinkRecord, Field> {
  readonly #counts: Deps['counts']

  constructor({ counts, ...deps }: Deps) {
    super(
      { ...deps, collection: deps.library.collection('shareLinks') },
      {
        noun: 'Share link',
        targetOf: (link) => link.fileId,
        target: 'A file',
        most: SHARE_LINKS_MAX,
        usualDays: SHARE_LINK_DAYS.usual,
        verb: 'End',
      },
    )
    this.#counts = counts
  }

  /** Whether a link has neither expired nor been downloaded as often as it may. */
  override isActive(link: ShareLinkRecord): boolean {
    return super.isActive(link) && (link.mostDownloads ?? Infinity) > link.completed
  }

  /** Throws `invalid_input` and `too_many_records`. */
  create(
    { id: fileId, ownerId }: FileRecord,
    { expiresAt, ...fields }: Fields,
  ): Promise<ShareLinkRecord> {
    return this.add({ targetId: fileId, ownerId, expiresAt }, (terms) => ({
      ...terms,
      ...fields,
      fileId,
      completed: 0,
      unfinished: [],
    }))
  }

  /** Until there was a limit, only the counters counted. */
  protected override counted(link: ShareLinkRecord): ShareLinkRecord {
    const { downloads } = this.#counts.ofAccessLink(link.id)
    return link.mostDownloads === null ? { ...link, completed: downloads } : link
  }

  /** A new address ends unfinished downloads. */
  protected override released(link: ShareLinkRecord): ShareLinkRecord {
    return { ...link, unfinished: [] }
  }
}
