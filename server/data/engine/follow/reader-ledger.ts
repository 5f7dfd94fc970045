import type { Log } from '../../../core/logging/log'
import type { Ledger } from '../../library/ledger'
import type { LibraryData } from '../../library/library-data'
import { Library } from '../../library/library'
import { READER } from '../../../core/errors'
import { LibraryReadOnlyError } from '../../library/library-errors'
import type { Follower } from './follower'

/** The library of a reader, which shows the changes of other hosts from now on. */
export async function openReaderLibrary(
  follower: Follower,
  log: Pick<Log, 'info' | 'error'>,
): Promise<Library> {
  const library = await Library.on(new ReaderLedger(follower), log)
  follower.onChange = (ops) => library.apply(ops)
  return library
}

/** The ledger of a reader: it has the first records, and nothing is ever written. */
class ReaderLedger implements Ledger {
  readonly refusal = new LibraryReadOnlyError(
    'This host only reads: the writer of its cluster makes changes',
    undefined,
    READER,
  )
  readonly found = { changes: 0, cut: false }
  readonly isCheckpointDue = false

  constructor(private readonly follower: Follower) {}

  async read(): Promise<LibraryData> {
    return this.follower.takeRecords()
  }

  async write(): Promise<void> {}

  prepare(): never {
    throw this.refusal
  }

  async settled(): Promise<void> {}

  async close(): Promise<void> {}
}
