import { DeliveryQueue } from './delivery-queue'
import { makeHappening, findHappenings } from './happenings'
import { WebhookSender } from './webhook-sender'
import { WebhookStore } from './webhook-store'
import type { Accounts } from '../../compose/accounts'
import type { Files } from '../../compose/files'
import type { Foundation } from '../../compose/foundation'
import type { Network } from '../../compose/network'
import type { Projects } from '../../compose/projects'

interface Deps {
  accounts: Accounts
  files: Files
  projects: Projects
  network: Network
}

/**
 * Opens the webhooks of projects. A message is queued in the transaction of the change it reports.
 */
export function openWebhooks(foundation: Foundation, { accounts, files, projects, network }: Deps) {
  const { config, data, sources, log } = foundation
  const { library } = data
  const queue = new DeliveryQueue(library, sources)
  const store = new WebhookStore(library, sources, queue)

  library.follow('webhooks', (tx, ops) => {
    for (const happening of findHappenings(ops, library)) {
      for (const webhook of store.listening(happening)) queue.add(tx, webhook, happening)
    }
  })

  files.counts.counted.subscribe(({ projectId, downloads }) => {
    const project = isRound(downloads) ? projects.store.find(projectId) : undefined
    if (!project) return

    const happening = makeHappening('downloads.reached', project, { downloads })
    const telling = library.transact((tx) => {
      // After a crash a count may be reached twice. The same id makes it one message.
      for (const it of store.listening(happening))
        queue.add(tx, it, happening, `${it.id}-${downloads}`)
    })

    telling.catch((err: unknown) => log.error({ err }, 'cannot queue a message for webhooks'))
  })

  const sender = new WebhookSender({
    library,
    store,
    queue,
    sources,
    log,
    version: config.version,
    origin: () => network.addresses.best() ?? null,
    mayReach: network.mayReach,
    isActive: (userId) => accounts.users.find(userId)?.disabledAt === null,
    onTurnedOff: ({ name, projectId }) =>
      accounts.audit.recordHost({
        kind: 'webhook_off',
        subject: name,
        detail: projects.store.find(projectId)?.title,
      }),
  })

  return { store, queue, sender }
}

/** Whether a count is 100, 1,000, 10,000 and so on. */
const isRound = (count: number) => /^10{2,}$/.test(String(count))
