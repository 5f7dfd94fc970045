import { hashOfToken, newLinkToken } from '../../access/link-token'
import type { Tier } from '../../contract'
import { sha256Of } from '../../core/sha256'
import { AppError, notFound } from '../../core/errors'
import type { Collection, Library, Transaction, UniqueIndex } from '../../data/library/library'
import type { Sources } from '../../core/clock'
import type { UserRecord } from '../../data/records/account-records'
import type { Tickets } from '../factors/tickets'
import { DeletedAccounts } from './deleted-accounts'

/** Lifetime of a link that sets a new password, in ms. */
const PASSWORD_LINK_MS = 60 * 60_000

type NewUser = Pick<UserRecord, 'username' | 'email' | 'passwordHash' | 'isPasswordless'>

/** The account of an open link that sets a new password, and when it expires, as ISO time. */
interface LinkedUser {
  user: UserRecord
  expiresAt: string
}

/** Rights that a registration proves. */
interface Claim {
  isHost?: boolean
  tier?: Tier | null
}

/** The accounts. Usernames and emails are unique, ignoring case. */
export class UserStore {
  readonly deleted: DeletedAccounts
  readonly #users: Collection<UserRecord>
  readonly #byName: UniqueIndex<UserRecord>
  readonly #byEmail: UniqueIndex<UserRecord>
  readonly #hosts: UniqueIndex<UserRecord>
  readonly #byPasswordLink: UniqueIndex<UserRecord>

  constructor(
    private readonly library: Library,
    private readonly sources: Sources,
    private readonly tickets: Pick<Tickets, 'issue' | 'open'>,
    private readonly defaultTier: () => Tier = () => 'Free',
  ) {
    this.deleted = new DeletedAccounts(library)
    this.#users = library.collection('users')
    this.#byName = this.#users.uniqueIndex((user) => user.username.toLowerCase())
    this.#byEmail = this.#users.uniqueIndex((user) => user.email.toLowerCase())
    this.#hosts = this.#users.uniqueIndex((user) => (user.isHost ? 'host' : undefined))
    this.#byPasswordLink = this.#users.uniqueIndex((user) => user.passwordLink?.tokenHash)
  }

  find(id: string): UserRecord | undefined {
    return this.#users.get(id)
  }

  byName(username: string): UserRecord | undefined {
    return this.#byName.get(username.toLowerCase())
  }

  byEmail(email: string): UserRecord | undefined {
    return this.#byEmail.get(email.toLowerCase())
  }

  all(): UserRecord[] {
    return [...this.#users.values()]
  }

  isActive(id: string): boolean {
    return this.find(id)?.disabledAt === null
  }

  tierOf(id: string): Tier {
    return this.find(id)?.tier ?? 'Free'
  }

  /** Returns the username for display, also for a deleted account. */
  nameOf(id: string): string {
    return this.find(id)?.username ?? 'deleted user'
  }

  /**
   * Throws `taken` with the field when another account than `id` has the username or email, also a
   * deleted one that can be restored.
   */
  requireFree({ username, email }: Pick<UserRecord, 'username' | 'email'>, id?: string): void {
    const isOther = (user: { id: string } | undefined) => user !== undefined && user.id !== id
    if (isOther(this.byName(username) ?? this.deleted.byName(username)))
      throw new AppError('taken', 'That username is taken', 'username')
    if (isOther(this.byEmail(email) ?? this.deleted.byEmail(email)))
      throw new AppError('taken', 'That email address is taken', 'email')
  }

  get hasHost(): boolean {
    return this.hostId !== undefined
  }

  /** Returns the id of the host account. Undefined if it does not exist yet. */
  get hostId(): string | undefined {
    return this.#hosts.get('host')?.id
  }

  /**
   * Adds an account. `claim` runs in the transaction, so that of concurrent registrations only one
   * can use a link; its errors propagate. Throws like `requireFree`.
   */
  add(
    user: NewUser,
    claim: (tx: Transaction, id: string) => Claim = () => ({}),
  ): Promise<UserRecord> {
    return this.library.transact((tx) => {
      this.requireFree(user)

      const id = this.sources.newId()
      const { isHost = false, tier } = claim(tx, id)

      const record: UserRecord = {
        ...user,
        id,
        tier: isHost ? 'Enterprise' : (tier ?? this.defaultTier()),
        isHost,
        disabledAt: null,
        createdAt: this.sources.now().toISOString(),
      }

      tx.put(this.#users, record.id, record)
      return record
    })
  }

  /** Changes the tier, or disables or enables the account. Undefined keeps a value. */
  change(
    id: string,
    { tier, disabled }: { tier?: Tier | undefined; disabled?: boolean | undefined },
  ): Promise<UserRecord> {
    return this.#update(id, (user) => ({
      tier: tier ?? user.tier,
      disabledAt: this.#toDisabledTime(user, disabled),
    }))
  }

  /**
   * Changes how the account is called. Throws like `requireFree`, and `bad_credentials` unless the
   * current hash is still `checked`.
   */
  rename(
    id: string,
    names: { username?: string | undefined; email?: string | undefined },
    checked?: string,
  ): Promise<UserRecord> {
    return this.#update(id, (user) => {
      requireChecked(user, checked)
      const { username = user.username, email = user.email } = names
      this.requireFree({ username, email }, id)
      return { username, email }
    })
  }

  /** Throws `bad_credentials` unless the current hash is still `checked`. */
  setPassword(id: string, passwordHash: string, checked?: string): Promise<UserRecord> {
    return this.#update(id, (user) => {
      requireChecked(user, checked)
      return { passwordHash, passwordLink: undefined, isPasswordless: undefined }
    })
  }

  /**
   * Creates a link that sets a new password. Returns its token, which is not stored, and when it
   * expires, as ISO time.
   */
  async createPasswordLink(id: string): Promise<{ token: string; expiresAt: string }> {
    const token = newLinkToken()
    const expiresAt = new Date(this.sources.now().getTime() + PASSWORD_LINK_MS).toISOString()
    await this.#update(id, () => ({ passwordLink: { tokenHash: hashOfToken(token), expiresAt } }))
    return { token, expiresAt }
  }

  /**
   * Returns the token of such a link for a mail. A mail may arrive late or twice, and a person may
   * ask again: each of these links works until one is used, because nothing is stored of them.
   */
  writePasswordLink(user: UserRecord): string {
    return this.tickets.issue('password', user.id, fingerprintOf(user))
  }

  /**
   * Returns the account of a link. Throws `password_link_invalid` for an unknown, used, replaced or
   * expired link, and for that of a disabled account.
   */
  byPasswordLink(token: string): LinkedUser {
    const linked = this.#byStoredLink(token) ?? this.#byWrittenLink(token)
    const isOpen = Date.parse(linked?.expiresAt ?? '') > this.sources.now().getTime()
    if (linked && isOpen && linked.user.disabledAt === null) return linked

    throw new AppError(
      'password_link_invalid',
      'This link was already used, or it expired. Ask the person who sent it for a new one.',
    )
  }

  /** Sets a password by a link, which then ends. Throws like `byPasswordLink`. */
  usePasswordLink(token: string, passwordHash: string): Promise<UserRecord> {
    const { user } = this.byPasswordLink(token)
    return this.#update(user.id, () => {
      this.byPasswordLink(token)
      return { passwordHash, passwordLink: undefined, isPasswordless: undefined }
    })
  }

  /**
   * Removes an account in the transaction that deletes it. Throws `bad_credentials` unless the
   * current hash is still `checked`.
   */
  drop(tx: Transaction, id: string, checked: string): UserRecord {
    const user = this.find(id)
    if (!user) throw notFound('User')
    requireChecked(user, checked)
    tx.delete(this.#users, id)
    return user
  }

  /** Stores an account that was restored. */
  putBack(tx: Transaction, user: UserRecord): void {
    tx.put(this.#users, user.id, user)
  }

  /** Remembers that a user has seen all files that people have sent until now. */
  async markReceivedSeen(id: string): Promise<void> {
    await this.#update(id, () => ({ receivedSeenAt: this.sources.now().toISOString() }))
  }

  #byStoredLink(token: string): LinkedUser | undefined {
    const user = this.#byPasswordLink.get(hashOfToken(token))
    return user?.passwordLink && { user, expiresAt: user.passwordLink.expiresAt }
  }

  #byWrittenLink(token: string): LinkedUser | undefined {
    const ticket = this.tickets.open('password', token)
    const user = this.find(ticket?.userId ?? '')
    if (!ticket || !user || ticket.data !== fingerprintOf(user)) return undefined
    return { user, expiresAt: new Date(ticket.until).toISOString() }
  }

  #toDisabledTime(user: UserRecord, disabled: boolean | undefined): string | null {
    if (disabled === undefined) return user.disabledAt
    return disabled ? (user.disabledAt ?? this.sources.now().toISOString()) : null
  }

  #update(id: string, change: (user: UserRecord) => Partial<UserRecord>): Promise<UserRecord> {
    return this.library.transact((tx) => {
      const user = this.find(id)
      if (!user) throw notFound('User')
      const changed = { ...user, ...change(user) }
      tx.put(this.#users, id, changed)
      return changed
    })
  }
}

/** Changes with the password and the address, which ends the links in earlier mails. */
const fingerprintOf = ({ passwordHash, email }: UserRecord): string =>
  sha256Of(JSON.stringify([passwordHash, email]), 'base64url').slice(0, 22)

/** Throws `bad_credentials` if the password changed after it was checked. */
function requireChecked({ passwordHash }: UserRecord, checked: string | undefined): void {
  if (checked === undefined || passwordHash === checked) return
  throw new AppError(
    'bad_credentials',
    'Your password was changed during this request',
    'current_password',
  )
}
