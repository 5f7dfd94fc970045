import type Koa from 'koa'
import { Allowance } from '../access/allowance'
import { composeAccounts } from './accounts'
import { openData } from './data'
import { composeFiles } from './files'
import type { Deps, HostDeps } from './deps'
import type { Foundation } from './foundation'
import { composeHost } from './host'
import { composeBucket } from './bucket'
import { composeDeletion } from './deletion'
import { composeNetwork } from './network'
import { composeProjects } from './projects'
import { openRepositories } from '../features/repositories/open-repositories'
import { DrawnPreviews } from '../features/embeds/drawn-previews'
import { Attachments } from '../features/reports/attachments'
import { PictureStore } from '../features/pictures/picture-store'
import { openNotices } from '../features/notices/open-notices'
import { openTrustedPublishers } from '../features/trusted-publishers/open-trusted-publishers'
import { openSingleSignOn } from '../features/single-sign-on/open-single-sign-on'
import { openWebhooks } from '../features/webhooks/open-webhooks'
import { PictureMaker } from '../libraries/picture-maker/picture-maker'
import type { ServerConfig } from './server-config'
import { composeTraffic } from './traffic'
import { composeTransfers } from './transfers'
import { composeWatching } from './watching'

/** Builds every long-lived object of the server once, room by room. */
export async function createContext(
  config: ServerConfig,
  deps: Deps,
  app: Koa,
  hostDeps: HostDeps,
) {
  const data = await openData(config, deps, hostDeps)

  // The quota counts what the other rooms store, so they are created first.
  const fits = (userId: string, more: number) => files.quota.fits(userId, more)
  const exists = (userId: string) => accounts.users.find(userId) !== undefined
  const allowance = new Allowance({ settings: data.settings, fits, exists })
  const foundation: Foundation = { ...deps, config, hostDeps, data, allowance }

  // Files need projects, whose links compare a new file with earlier ones.
  const projects = composeProjects(foundation, (id) => files.store.find(id))
  const accounts = await composeAccounts(foundation, projects, app)
  const files = composeFiles(foundation, accounts, projects)
  const network = composeNetwork(foundation, accounts)

  const maker = deps.pictureMaker ?? new PictureMaker(deps.log)
  const attachments = new Attachments({ ...data, ...deps, maker, files, projects })

  const traffic = composeTraffic(foundation, accounts)
  const bucket = composeBucket(foundation, accounts, { files, projects, traffic })
  const transfers = await composeTransfers(foundation, {
    ...{ traffic, files, projects, bucket, attachments },
  })
  const webhooks = openWebhooks(foundation, { accounts, files, projects, network })
  const notices = openNotices(foundation, { accounts, projects, network })
  const repositories = openRepositories(foundation)
  const watching = composeWatching(foundation, { accounts, files, projects, transfers })
  const deletion = composeDeletion(foundation, {
    ...{ accounts, files, projects, transfers, webhooks, repositories, watching },
  })

  return {
    host: await composeHost(foundation, network, transfers),
    data,
    accounts,
    files,
    projects,
    pictures: {
      store: new PictureStore({
        ...data,
        projects: projects.store,
        trash: files.trash,
        sources: deps.sources,
      }),
      maker,
      previews: new DrawnPreviews(maker),
      changedProjects: collectPublic(projects.events),
    },
    attachments,
    repositories,
    deletion,
    previews: deletion.previews,
    webhooks,
    notices,
    trustedPublishers: openTrustedPublishers(foundation, { projects, network }),
    singleSignOn: openSingleSignOn(foundation, { accounts, network }),
    transfers,
    bucket,
    network,
    watching,
  }
}

/** Collects the public projects that have changed, until their previews are drawn. */
function collectPublic(
  events: Pick<ReturnType<typeof composeProjects>['events'], 'subscribe'>,
): Set<string> {
  const ids = new Set<string>()
  events.subscribe(({ project: { id, isPublic } }) => void (isPublic && ids.add(id)))
  return ids
}

export type AppContext = Awaited<ReturnType<typeof createContext>>

/** The rooms that a route needs. Routes never receive the whole context. */
export type Rooms<Name extends keyof AppContext> = Pick<AppContext, Name>
