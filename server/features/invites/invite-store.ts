import { hashOfToken, newLinkToken } from '../../access/link-token'
import type { Tier } from '../../contract'
import { AppError, notFound } from '../../core/errors'
import type { Collection, Library, Transaction, UniqueIndex } from '../../data/library/library'
import type { World } from '../../core/clock'

/** How long an invite link can be used, in ms. */
const INVITE_MS = 7 * 86_400_000

export interface InviteRecord {
  id: string
  /** SHA-256 of the token in the link: 128 random bits need no slow hash. */
  tokenHash: string
  /** The tier of the account; null: the tier of all new accounts. */
  tier: Tier | null
  /** The project that the account collaborates on; null: none. */
  projectId: string | null
  createdBy: string
  createdAt: string
  expiresAt: string
}

/** The invite links that can still be used. Each is for one account. */
export class InviteStore {
  readonly #invites: Collection<InviteRecord>
  readonly #byHash: UniqueIndex<InviteRecord>

  constructor(
    private readonly library: Library,
    private readonly world: World,
    /** Makes an invited account a collaborator on a project, unless that was deleted. */
    private readonly join: (tx: Transaction, projectId: string, userId: string, invitedBy: string) => void,
  ) {
    this.#invites = library.collection<InviteRecord>('invites')
    this.#byHash = this.#invites.uniqueIndex((invite) => invite.tokenHash)
  }

  /** Those that have not expired, newest first. */
  open(): InviteRecord[] {
    return [...this.#invites.values()].filter((invite) => this.#isOpen(invite)).reverse()
  }

  /** Makes a link and removes the expired ones. Answers the token, which exists here only. */
  async create(
    invite: Pick<InviteRecord, 'tier' | 'projectId' | 'createdBy'>,
  ): Promise<{ token: string; record: InviteRecord }> {
    const token = newLinkToken()
    const record = await this.library.transact((tx) => {
      for (const old of this.#invites.values()) if (!this.#isOpen(old)) tx.delete(this.#invites, old.id)
      const now = this.world.now()
      const record: InviteRecord = {
        ...invite,
        id: this.world.newId(),
        tokenHash: hashOfToken(token),
        createdAt: now.toISOString(),
        expiresAt: new Date(now.getTime() + INVITE_MS).toISOString(),
      }
      tx.put(this.#invites, record.id, record)
      return record
    })
    return { token, record }
  }

  /** Throws `invite_link_invalid` for a link that is unknown, used, revoked or expired. */
  require(token: string): InviteRecord {
    const invite = this.#byHash.get(hashOfToken(token))
    if (invite && this.#isOpen(invite)) return invite
    throw new AppError(
      'invite_link_invalid',
      'This invite link was already used, or it expired. Ask the person who sent it for a new one.',
    )
  }

  /** Uses up a link in the transaction that adds its account. Returns the tier of the account. Throws as `require` does. */
  accept(tx: Transaction, token: string, userId: string): { tier: Tier | null } {
    const { id, tier, projectId, createdBy } = this.require(token)
    tx.delete(this.#invites, id)
    if (projectId !== null) this.join(tx, projectId, userId, createdBy)
    return { tier }
  }

  /** Throws `not_found` for a link that is not open. */
  revoke(id: string): Promise<void> {
    return this.library.transact((tx) => {
      if (!this.#invites.has(id)) throw notFound('Invite link')
      tx.delete(this.#invites, id)
    })
  }

  #isOpen({ expiresAt }: InviteRecord): boolean {
    return Date.parse(expiresAt) > this.world.now().getTime()
  }
}
