import type { Log } from '../../../core/logging/log'
import type { CommitLog } from '../../library/commit-log'
import type { LibraryData } from '../../library/library-data'
import { Library } from '../../library/library'
import { READ_ONLY_HOST } from '../../../core/errors'
import { LibraryReadOnlyError } from '../../library/library-errors'
import type { Follower } from './follower'

/** The library of a replica, which shows the changes of other hosts from now on. */
export async function openReplicaLibrary(
  follower: Follower,
  log: Pick<Log, 'info' | 'error'>,
): Promise<Library> {
  const library = await Library.on(new ReplicaCommitLog(follower), log)
  follower.onChange = (ops) => library.apply(ops)
  return library
}

/** The commit log of a replica: it has the first records, and nothing is ever written. */
class ReplicaCommitLog implements CommitLog {
  readonly refusal = new LibraryReadOnlyError(
    'This host only reads: the primary of its cluster makes changes',
    undefined,
    READ_ONLY_HOST,
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
