import type { Accounts } from '../../compose/accounts'
import type { Data } from '../../compose/data'
import type { Files } from '../../compose/files'
import type { Projects } from '../../compose/projects'
import type { Transfers } from '../../compose/transfers'
import type { createDeletion } from '../trash/deletion'
import type { Watching } from '../watches/watching'

/** What deleting an account reaches. */
export interface AccountDeletionDeps {
  data: Pick<Data, 'library' | 'catalogue' | 'clock'>
  accounts: Pick<Accounts, 'users' | 'apiKeys' | 'audit' | 'factors' | 'identities'>
  files: Files
  projects: Projects
  transfers: Pick<Transfers, 'resumable' | 'running'>
  folders: Pick<Watching, 'refresh'>
  deletion: Pick<ReturnType<typeof createDeletion>, 'takeFile' | 'takeProject'>
}
