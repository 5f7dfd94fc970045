import { Serial } from '../../core/serial'
import type { Library, Transaction } from '../../data/library/library'
import type { UserRecord } from '../../data/records/account-records'
import type { AccountDeletionDeps } from './deps'
import { endRecords } from './ending-records'

/** What the audit log says of a removal. */
interface Removed {
  concerns: string
  subject: string
}

/**
 * Removes deleted accounts permanently, in steps that a crash may interrupt anywhere:
 *
 * 1. The record loses all names, and invite links for its email address are deleted: nobody can
 *    restore the account any more.
 * 2. The bytes of its files go, then their records.
 * 3. What requests that ran during the deletion may have left goes, too, and its reserved addresses
 *    become hashes.
 * 4. Snapshots and logs of the library, and the catalogue, are replaced: the older ones have names.
 * 5. The record goes.
 *
 * Until step 5 the record makes the next start, and each hour, go through all steps again.
 */
export class FinalRemoval {
  readonly #removals = new Serial()

  constructor(private readonly deps: AccountDeletionDeps) {}

  /**
   * Removes the accounts whose time is over, and those whose removal was interrupted. One that
   * fails stops no other. Throws AggregateError with what failed.
   */
  async sweep(): Promise<void> {
    const { data, accounts } = this.deps
    const { deleted } = accounts.users
    const now = data.clock.now().toISOString()
    const failed: unknown[] = []

    for (const { id, user } of deleted
      .all()
      .filter((it) => deleted.expiresAt(it) <= now || !it.user)) {
      try {
        if (user) await this.remove(id, (removed) => accounts.audit.recordHost(removed))
        else await this.#removals.run(() => this.#finish(id))
      } catch (cause) {
        failed.push(cause)
      }
    }

    if (failed.length > 0) throw new AggregateError(failed, 'Some accounts could not be removed')
  }

  /** Removes an account that can still be restored. `note` runs once it no longer can. */
  remove(id: string, note: (removed: Removed & { kind: 'account_erase' }) => void): Promise<void> {
    const { data, accounts } = this.deps
    const { deleted } = accounts.users

    return this.#removals.run(async () => {
      const account = await data.library.transact((tx) => {
        const current = deleted.find(id)
        if (!current) return undefined

        deleted.put(tx, { ...current, user: null, memberships: [] })
        forgetInvitesFor(data.library, tx, current.user)
        return current
      })
      // It was restored concurrently.
      if (!account) return

      note({ kind: 'account_erase', concerns: id, subject: account.user.username })
      await this.#finish(id)
    })
  }

  async #finish(id: string): Promise<void> {
    const { data, accounts, files, projects } = this.deps
    const { library, catalogue } = data
    await files.trash.eraseAccount(id)

    await library.transact((tx) => {
      endRecords(library, files, tx, id)
      accounts.factors.drop(tx, id)
      accounts.identities.drop(tx, id)
      projects.store.hashReserved(tx, id)

      // What they reported to others stays, without the name that they gave.
      const reports = library.collection('reports')
      for (const report of [...reports.values()])
        if (report.userId === id) tx.put(reports, report.id, { ...report, from: undefined })
    })

    // The one that may be running now began with the names.
    for (let generation = 0; generation < 3; generation++) await library.checkpoint()
    await catalogue.replace()

    await library.transact((tx) => accounts.users.deleted.drop(tx, id))
  }
}

/** Removes the invite links that name the address of an account. */
function forgetInvitesFor(
  library: Library,
  tx: Transaction,
  user: Pick<UserRecord, 'email'>,
): void {
  const invites = library.collection('invites')
  const address = user.email.toLowerCase()
  for (const { id, email } of [...invites.values()]) if (email === address) tx.delete(invites, id)
}
