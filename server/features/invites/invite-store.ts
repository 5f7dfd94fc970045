import { hashOfToken, newLinkToken } from '../../access/link-token'
import type { Tier } from '../../contract'
import { AppError, notFound } from '../../core/errors'
import type { Collection, Library, Transaction, UniqueIndex } from '../../data/library/library'
import { DAY_MS, type Sources } from '../../core/clock'
import type { InviteRecord } from '../../data/records/account-records'

/** Lifetime of an invite link, in ms. */
const INVITE_MS = 7 * DAY_MS

/** The open invite links. Each one is for one account. */
export class InviteStore {
  readonly #invites: Collection<InviteRecord>
  readonly #byHash: UniqueIndex<InviteRecord>

  constructor(
    private readonly library: Library,
    private readonly sources: Sources,
    /** Adds an invited account as a collaborator, unless the project was deleted. */
    private readonly join: (
      tx: Transaction,
      projectId: string,
      userId: string,
      invitedBy: string,
    ) => void,
  ) {
    this.#invites = library.collection('invites')
    this.#byHash = this.#invites.uniqueIndex((invite) => invite.tokenHash)
  }

  /** Returns links that have not expired, newest first. */
  open(): InviteRecord[] {
    return [...this.#invites.values()].filter((invite) => this.#isOpen(invite)).reverse()
  }

  /** Creates a link and removes expired ones. Returns the token, which is not stored. */
  async create(
    invite: Pick<InviteRecord, 'tier' | 'email' | 'projectId' | 'createdBy'>,
  ): Promise<{ token: string; record: InviteRecord }> {
    const token = newLinkToken()

    const record = await this.library.transact((tx) => {
      for (const old of this.#invites.values())
        if (!this.#isOpen(old)) tx.delete(this.#invites, old.id)

      const now = this.sources.now()
      const record: InviteRecord = {
        ...invite,
        id: this.sources.newId(),
        tokenHash: hashOfToken(token),
        createdAt: now.toISOString(),
        expiresAt: new Date(now.getTime() + INVITE_MS).toISOString(),
      }

      tx.put(this.#invites, record.id, record)
      return record
    })

    return { token, record }
  }

  /** Throws `invite_link_invalid` for an unknown, used, revoked or expired link. */
  require(token: string): InviteRecord {
    const invite = this.#byHash.get(hashOfToken(token))
    if (invite && this.#isOpen(invite)) return invite
    throw linkInvalid()
  }

  /** The same for a link that names no other address. */
  requireFor(token: string, email: string): InviteRecord {
    const invite = this.require(token)
    if (invite.email === undefined || invite.email === email.toLowerCase()) return invite
    throw new AppError(
      'invite_link_invalid',
      'This invite link is for another email address. Use that address, or ask for a new link',
      'email',
    )
  }

  /** The oldest link that names an address, which was verified. */
  forAddress(verified: string): InviteRecord | undefined {
    const address = verified.toLowerCase()
    return [...this.#invites.values()].find((it) => it.email === address && this.#isOpen(it))
  }

  /** Uses a link in the transaction that adds its account. Throws like `requireFor`. */
  accept(
    tx: Transaction,
    token: string,
    { id, email }: { id: string; email: string },
  ): { tier: Tier | null } {
    return this.acceptOne(tx, this.requireFor(token, email), id)
  }

  /** The same for an open link. Throws `invite_link_invalid` if it was used meanwhile. */
  acceptOne(
    tx: Transaction,
    { id, tier, projectId, createdBy }: InviteRecord,
    userId: string,
  ): { tier: Tier | null } {
    if (!this.#invites.has(id)) throw linkInvalid()
    tx.delete(this.#invites, id)
    if (projectId !== null) this.join(tx, projectId, userId, createdBy)
    return { tier }
  }

  /** Throws `not_found` unless the link is open. */
  revoke(id: string): Promise<void> {
    return this.library.transact((tx) => {
      if (!this.#invites.has(id)) throw notFound('Invite link')
      tx.delete(this.#invites, id)
    })
  }

  #isOpen({ expiresAt }: InviteRecord): boolean {
    return Date.parse(expiresAt) > this.sources.now().getTime()
  }
}

const linkInvalid = () =>
  new AppError(
    'invite_link_invalid',
    'This invite link was already used, or it expired. Ask the person who sent it for a new one.',
  )
