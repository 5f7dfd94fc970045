import { hashOfToken } from '../../access/link-token'
import type { LinkTerms } from '../../access/link-terms'
import { SHARE_LINK_DAYS, SHARE_LINKS_MAX } from '../../contract'
import type { Sources } from '../../core/clock'
import { AppError, notFound } from '../../core/errors'
import type {
  Collection,
  Index,
  Library,
  Transaction,
  UniqueIndex,
} from '../../data/library/library'
import type { FileRecord, ShareLinkRecord } from '../../data/records/file-records'
import type { Counts } from '../stats/counts'

type Fields = Pick<ShareLinkRecord, 'name' | 'passwordHash' | 'mostDownloads'> & {
  expiresAt: string | undefined
}

type Change = { [Name in keyof Fields]: Fields[Name] | undefined }

/** The most share links of an account. */
const MAX_OWNED = 2000

interface Deps {
  library: Library
  sources: Sources
  counts: Pick<Counts, 'forgetAccessLink' | 'ofAccessLink'>
  linkTerms: LinkTerms
}

/** The share links of all files. Those of a trashed file stay, but open nothing. */
export class ShareLinkStore {
  readonly collection: Collection<ShareLinkRecord>
  readonly #byHash: UniqueIndex<ShareLinkRecord>
  readonly #byFile: Index<ShareLinkRecord>
  readonly #owned: { get(userId: string): number }

  constructor(private readonly deps: Deps) {
    const { library } = deps
    this.collection = library.collection('shareLinks')
    this.#byHash = this.collection.uniqueIndex((link) => link.tokenHash)
    this.#byFile = this.collection.index((link) => link.fileId)

    this.#owned = this.collection.sum(
      (link) => link.ownerId,
      () => 1,
    )
  }

  /** Lists the links of a file, newest first, including ended ones. */
  ofFile(fileId: string): ShareLinkRecord[] {
    return [...this.#byFile.get(fileId)].reverse()
  }

  /** Returns a link of a file. Throws `not_found`. */
  require(fileId: string, id: string): ShareLinkRecord {
    const link = this.collection.get(id)
    if (link?.fileId !== fileId) throw notFound('Share link')
    return link
  }

  /** Finds the link with this token, unless it has expired. */
  opened(token: string): ShareLinkRecord | undefined {
    const link = this.#byHash.get(hashOfToken(token))
    return link && this.deps.linkTerms.isCurrent(link) ? link : undefined
  }

  /** Whether a link has neither expired nor been downloaded as often as it may. */
  isActive(link: ShareLinkRecord): boolean {
    return this.deps.linkTerms.isCurrent(link) && (link.mostDownloads ?? Infinity) > link.completed
  }

  /** Whether the link of a request still has the same address and password. */
  holds(link: ShareLinkRecord): boolean {
    return this.deps.linkTerms.holds(link, this.collection.get(link.id))
  }

  /** Throws `invalid_input` and `too_many_records`. */
  create(
    { id: fileId, ownerId }: FileRecord,
    { expiresAt, ...fields }: Fields,
  ): Promise<ShareLinkRecord> {
    return this.deps.library.transact((tx) => {
      if (this.#byFile.get(fileId).length >= SHARE_LINKS_MAX) throw tooMany('A file')
      if (this.#owned.get(ownerId) >= MAX_OWNED) throw tooMany('An account', MAX_OWNED)

      const { sources, linkTerms } = this.deps
      const link: ShareLinkRecord = {
        id: sources.newId(),
        fileId,
        ownerId,
        ...fields,
        ...linkTerms.newAddress(),
        createdAt: sources.now().toISOString(),
        expiresAt: linkTerms.chooseEnd(expiresAt, SHARE_LINK_DAYS.usual),
        completed: 0,
        unfinished: [],
      }

      tx.put(this.collection, link.id, link)
      return link
    })
  }

  /** Changes a link. Undefined keeps a value. Throws `not_found` and `invalid_input`. */
  change(fileId: string, id: string, change: Change): Promise<ShareLinkRecord> {
    return this.deps.library.transact((tx) => {
      const current = this.require(fileId, id)
      const {
        name = current.name,
        passwordHash = current.passwordHash,
        mostDownloads = current.mostDownloads,
      } = change

      const { linkTerms, counts } = this.deps
      const expiresAt = linkTerms.changeEnd(current, change.expiresAt)
      // Until there was a limit, only the counters counted.
      const completed =
        current.mostDownloads === null ? counts.ofAccessLink(id).downloads : current.completed

      const changed = { ...current, name, passwordHash, mostDownloads, expiresAt, completed }
      tx.put(this.collection, id, changed)
      return changed
    })
  }

  /** Replaces the address of a link, and ends its unfinished downloads. Throws `not_found`. */
  renew(fileId: string, id: string): Promise<ShareLinkRecord> {
    return this.deps.library.transact((tx) => {
      const renewed = {
        ...this.require(fileId, id),
        ...this.deps.linkTerms.newAddress(),
        unfinished: [],
      }
      tx.put(this.collection, id, renewed)
      return renewed
    })
  }

  /** Removes a link and its counts. */
  remove(tx: Transaction, { id }: ShareLinkRecord): void {
    tx.delete(this.collection, id)
    this.deps.counts.forgetAccessLink(tx, id)
  }

  /** Removes the links of a file that is deleted, or gets another owner. */
  forgetFile(tx: Transaction, fileId: string): void {
    for (const link of this.ofFile(fileId)) this.remove(tx, link)
  }
}

const tooMany = (owner: string, most = SHARE_LINKS_MAX) =>
  new AppError(
    'too_many_records',
    `${owner} can have ${most} share links. End links that you no longer need`,
  )
