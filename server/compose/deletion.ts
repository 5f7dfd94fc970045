import { AccountDeletion } from '../features/account-deletion/account-deletion'
import type { openRepositories } from '../features/repositories/open-repositories'
import { Previews } from '../features/previews/previews'
import { Retention } from '../features/retention/retention'
import { createDeletion } from '../features/trash/deletion'
import type { openWebhooks } from '../features/webhooks/open-webhooks'
import type { Accounts } from './accounts'
import type { Files } from './files'
import type { Foundation } from './foundation'
import type { Projects } from './projects'
import type { Transfers } from './transfers'
import type { composeWatching } from './watching'

interface Deps {
  accounts: Accounts
  files: Files
  projects: Projects
  transfers: Transfers
  webhooks: ReturnType<typeof openWebhooks>
  repositories: Pick<ReturnType<typeof openRepositories>, 'histories'>
  watching: ReturnType<typeof composeWatching>
}

/** Composes what deletes files, projects, old releases and accounts. */
export function composeDeletion(
  { data, sources, log }: Foundation,
  { accounts, files, projects, transfers, webhooks, repositories, watching }: Deps,
) {
  const { users, audit } = accounts
  const { histories } = repositories
  const items = createDeletion({ data, files, projects, webhooks, users, histories })

  const retention = new Retention({
    ...{ sources, log, audit, files, projects },
    library: data.library,
  })
  projects.events.subscribe(({ project }) => void (project.retention && retention.follow(project)))

  const previews = new Previews({
    ...{ clock: data.clock, log, audit, files, projects },
    deleteFile: items.deleteFile,
  })

  return {
    ...items,
    retention,
    previews,
    accounts: new AccountDeletion({
      ...{ data, accounts, files, projects, transfers },
      folders: watching.folders,
      deletion: items,
    }),
  }
}
