import type { Sources } from '../../core/clock'
import type { Collection, Library, Transaction } from '../../data/library/library'
import type { UsedTokenRecord } from '../../data/records/account-records'
import { hashOfToken } from '../../access/link-token'

/**
 * What was used and works once: the state of a sign-in at the provider, the id of a logout token.
 * Also who signed out there, for as long as a sign-in may take. The library keeps their hashes
 * until they expire.
 */
export class UsedTokens {
  readonly #used: Collection<UsedTokenRecord>

  constructor(
    library: Library,
    private readonly sources: Pick<Sources, 'now'>,
  ) {
    this.#used = library.collection('usedTokens')
  }

  /** Uses a token up, in the transaction of what it allows. Returns false if it was used. */
  use(tx: Transaction, token: string, until: Date): boolean {
    if (this.#used.has(hashOfToken(token))) return false

    const now = this.sources.now().toISOString()
    for (const used of [...this.#used.values()])
      if (used.until <= now) tx.delete(this.#used, used.id)
    this.note(tx, token, until)
    return true
  }

  /** Keeps a token until then, also one that is kept already. */
  note(tx: Transaction, token: string, until: Date): void {
    const id = hashOfToken(token)
    tx.put(this.#used, id, { id, until: until.toISOString() })
  }

  /** Until when a token is kept. */
  untilOf(token: string): string | undefined {
    return this.#used.get(hashOfToken(token))?.until
  }
}
