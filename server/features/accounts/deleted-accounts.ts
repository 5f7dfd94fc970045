import { TRASH_DAYS } from '../../contract'
import { DAY_MS } from '../../core/clock'
import { notFound } from '../../core/errors'
import type { Collection, Library, Transaction, UniqueIndex } from '../../data/library/library'
import type { DeletedAccountRecord } from '../../data/records/account-records'

/** A deleted account that can still be restored. */
export type RestorableAccount = DeletedAccountRecord & {
  user: NonNullable<DeletedAccountRecord['user']>
}

/**
 * Deleted accounts, until nothing is left of them. Their names stay taken as long as they can be
 * restored.
 */
export class DeletedAccounts {
  readonly #records: Collection<DeletedAccountRecord>
  readonly #byName: UniqueIndex<DeletedAccountRecord>
  readonly #byEmail: UniqueIndex<DeletedAccountRecord>

  constructor(library: Library) {
    this.#records = library.collection('deletedAccounts')
    this.#byName = this.#records.uniqueIndex(({ user }) => user?.username.toLowerCase())
    this.#byEmail = this.#records.uniqueIndex(({ user }) => user?.email.toLowerCase())
  }

  /** Includes those that are being removed. */
  all(): DeletedAccountRecord[] {
    return [...this.#records.values()]
  }

  /** Lists those that can be restored, in the order of their deletion. */
  restorable(): RestorableAccount[] {
    return this.all().filter(isRestorable)
  }

  find(id: string): RestorableAccount | undefined {
    const record = this.#records.get(id)
    return record && isRestorable(record) ? record : undefined
  }

  byName(username: string): RestorableAccount | undefined {
    return this.find(this.#byName.get(username.toLowerCase())?.id ?? '')
  }

  byEmail(email: string): RestorableAccount | undefined {
    return this.find(this.#byEmail.get(email.toLowerCase())?.id ?? '')
  }

  /** When an account is removed permanently, as a UTC ISO string. */
  expiresAt({ deletedAt }: Pick<DeletedAccountRecord, 'deletedAt'>): string {
    return new Date(Date.parse(deletedAt) + TRASH_DAYS * DAY_MS).toISOString()
  }

  put(tx: Transaction, record: DeletedAccountRecord): void {
    tx.put(this.#records, record.id, record)
  }

  drop(tx: Transaction, id: string): void {
    tx.delete(this.#records, id)
  }
}

const isRestorable = (record: DeletedAccountRecord): record is RestorableAccount =>
  record.user !== null

/** Throws `not_found`. */
export function requireRestorable(account: RestorableAccount | undefined): RestorableAccount {
  if (!account) throw notFound('Deleted account')
  return account
}
