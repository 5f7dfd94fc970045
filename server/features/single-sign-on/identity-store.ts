import { hash } from 'node:crypto'
import type { Sources } from '../../core/clock'
import { AppError, notFound } from '../../core/errors'
import type { Collection, Index, Library, Transaction } from '../../data/library/library'
import type { IdentityRecord, ProvedByProvider } from '../../data/records/account-records'
import type { UsedTokens } from './used-tokens'

/** A person at a provider: the pair never changes, and never names somebody else. */
type Who = Pick<IdentityRecord, 'issuer' | 'subject'>

/** Longer than a sign-in may take after the answer of the provider, in ms. */
const LOGOUT_MS = 20 * 60_000

/** Whom a logout token names. */
interface LoggedOut {
  issuer: string
  subject?: string | undefined
  sid?: string | undefined
}

/** The accounts at providers of single sign-on that open accounts here. */
export class IdentityStore {
  readonly #records: Collection<IdentityRecord>
  readonly #byUser: Index<IdentityRecord>

  constructor(
    private readonly library: Library,
    private readonly sources: Pick<Sources, 'now'>,
    private readonly usedTokens: UsedTokens,
  ) {
    this.#records = library.collection('identities')
    this.#byUser = this.#records.index((record) => record.userId)
  }

  find(who: Who): IdentityRecord | undefined {
    return this.#records.get(idOf(who))
  }

  /**
   * Whether an answer of a provider still opens an account: it is linked, and its person has not
   * signed out there since. True without one.
   */
  opens(proof: ProvedByProvider | undefined, userId: string): boolean {
    if (proof === undefined) return true
    return this.find(proof.provider)?.userId === userId && !this.#isLoggedOut(proof)
  }

  /** Notes a sign-out at a provider, for sign-ins that are not finished. */
  noteLogout(tx: Transaction, who: LoggedOut): void {
    const until = new Date(this.sources.now().getTime() + LOGOUT_MS)
    this.usedTokens.note(tx, nameOfLogout(who), until)
  }

  #isLoggedOut({ provider: { issuer, subject, sid }, answeredAt }: ProvedByProvider): boolean {
    const named = [{ issuer, subject }, ...(sid === undefined ? [] : [{ issuer, sid }])]
    return [...named, { issuer, subject, sid }].some((who) => {
      const until = this.usedTokens.untilOf(nameOfLogout(who))
      return until !== undefined && Date.parse(until) - LOGOUT_MS >= answeredAt
    })
  }

  /** The one of an account at this provider. */
  ofUser(userId: string, issuer: string): IdentityRecord | undefined {
    return this.#byUser.get(userId).find((record) => record.issuer === issuer)
  }

  /** Throws `taken` if it opens another account, or if this one has another at the provider. */
  add(tx: Transaction, userId: string, who: Who & Pick<IdentityRecord, 'label'>): void {
    if (this.find(who)) {
      throw new AppError(
        'taken',
        'That account at the provider is linked to an account here already',
      )
    }
    if (this.ofUser(userId, who.issuer))
      throw new AppError('taken', 'Your account is linked already. Remove that link first')

    const id = idOf(who)
    const { issuer, subject, label } = who
    const now = this.sources.now().toISOString()
    tx.put(this.#records, id, {
      ...{ id, userId, issuer, subject, label },
      ...{ createdAt: now, lastUsedAt: null },
    })
  }

  /** Throws `not_found` if it was removed meanwhile. */
  noteUse(tx: Transaction, who: Who, label: string | null): void {
    const record = this.find(who)
    if (!record) throw notFound('Linked account')
    const lastUsedAt = this.sources.now().toISOString()
    tx.put(this.#records, record.id, { ...record, label, lastUsedAt })
  }

  has(userId: string): boolean {
    return this.#byUser.get(userId).length > 0
  }

  /** `also` is of the same transaction. */
  remove(userId: string, also: (tx: Transaction) => void): Promise<void> {
    return this.library.transact((tx) => {
      this.drop(tx, userId)
      also(tx)
    })
  }

  /** Removes all of an account, in a transaction that may remove the account, too. */
  drop(tx: Transaction, userId: string): void {
    for (const { id } of [...this.#byUser.get(userId)]) tx.delete(this.#records, id)
  }
}

const nameOfLogout = ({ issuer, subject, sid }: LoggedOut) =>
  JSON.stringify(['logged out', issuer, subject ?? null, sid ?? null])

const idOf = ({ issuer, subject }: Who) =>
  hash('sha256', JSON.stringify([issuer, subject]), 'base64url')
