import { hashOfToken, newLinkToken } from '../../access/link-token'
import { openText, sealText } from '../../access/sealed-text'
import { SHARE_LINK_DAYS, SHARE_LINKS_MAX } from '../../contract'
import { DAY_MS, type Sources } from '../../core/clock'
import { AppError, notFound } from '../../core/errors'
import type {
  Collection,
  Index,
  Library,
  Transaction,
  UniqueIndex,
} from '../../data/library/library'
import type { FileRecord, ShareLinkRecord } from '../../data/records/file-records'

type Fields = Pick<ShareLinkRecord, 'name' | 'passwordHash' | 'mostDownloads'> & {
  expiresAt: string | undefined
}

/** The most share links of an account. */
const MAX_OWNED = 2000

interface Deps {
  library: Library
  sources: Sources
  counts: { forgetAccessLink(tx: Transaction, id: string): void }
  /** They encrypt tokens, the newest first. */
  sessionKeys: readonly string[]
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
    return link && this.#isCurrent(link) ? link : undefined
  }

  /** Whether a link has neither expired nor been downloaded as often as it may. */
  isActive(link: ShareLinkRecord): boolean {
    return this.#isCurrent(link) && (link.mostDownloads ?? Infinity) > link.completed
  }

  /** Whether the link of a request still has the same address and password. */
  holds({ id, tokenHash }: ShareLinkRecord): boolean {
    const now = this.collection.get(id)
    return now?.tokenHash === tokenHash && this.#isCurrent(now)
  }

  /** Returns the token of a link, or undefined if the host has other keys now. */
  tokenOf = ({ sealedToken }: ShareLinkRecord): string | undefined =>
    openText(this.deps.sessionKeys, sealedToken)

  /** Throws `invalid_input` and `too_many_records`. */
  create(
    { id: fileId, ownerId }: FileRecord,
    { expiresAt, ...fields }: Fields,
  ): Promise<ShareLinkRecord> {
    return this.deps.library.transact((tx) => {
      if (this.#byFile.get(fileId).length >= SHARE_LINKS_MAX) throw tooMany('A file')
      if (this.#owned.get(ownerId) >= MAX_OWNED) throw tooMany('An account', MAX_OWNED)

      const now = this.deps.sources.now()
      const usual = new Date(now.getTime() + SHARE_LINK_DAYS.usual * DAY_MS).toISOString()
      const link: ShareLinkRecord = {
        id: this.deps.sources.newId(),
        fileId,
        ownerId,
        ...fields,
        ...this.#newAddress(),
        createdAt: now.toISOString(),
        expiresAt: expiresAt ?? usual,
        completed: 0,
        unfinished: [],
      }

      this.#checkEnd(link)
      tx.put(this.collection, link.id, link)
      return link
    })
  }

  /** Replaces the address of a link, and ends its unfinished downloads. Throws `not_found`. */
  renew(fileId: string, id: string): Promise<ShareLinkRecord> {
    return this.deps.library.transact((tx) => {
      const renewed = { ...this.require(fileId, id), ...this.#newAddress(), unfinished: [] }
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

  #newAddress(): Pick<ShareLinkRecord, 'tokenHash' | 'sealedToken'> {
    const token = newLinkToken()
    return { tokenHash: hashOfToken(token), sealedToken: sealText(this.deps.sessionKeys, token) }
  }

  #isCurrent({ expiresAt }: ShareLinkRecord): boolean {
    return Date.parse(expiresAt) > this.deps.sources.now().getTime()
  }

  #checkEnd({ expiresAt }: ShareLinkRecord): void {
    const days = (Date.parse(expiresAt) - this.deps.sources.now().getTime()) / DAY_MS
    if (days <= 0) throw new AppError('invalid_input', 'Choose an end in the future', 'expires_at')
    // Allow one more day: the last day ends at different times in different time zones.
    if (days > SHARE_LINK_DAYS.most + 1)
      throw new AppError('invalid_input', 'Choose an end within one year', 'expires_at')
  }
}

/** The same error for every token that opens nothing, so that it does not tell why. */
export const shareLinkEnded = (): AppError =>
  new AppError(
    'not_found',
    'This link has ended or never existed, or its password is missing or wrong. ' +
      'Ask the person who sent it',
  )

const tooMany = (owner: string, most = SHARE_LINKS_MAX) =>
  new AppError(
    'too_many_records',
    `${owner} can have ${most} share links. End links that you no longer need`,
  )
