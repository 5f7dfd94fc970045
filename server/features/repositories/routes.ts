import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { notFound } from '../../core/errors'
import { sendDocument } from '../../http/send/send-document'
import { shareUrl } from '../../network/share-url'
import type { Entrance } from '../releases/entrance'
import { serveEntrances } from '../testers/serve-entrances'
import type { Repository } from './repository'

type Deps = Rooms<'accounts' | 'data' | 'files' | 'network' | 'projects' | 'repositories' | 'transfers'>

/** Each loads with its first request: most hosts serve one or two kinds. */
const REPOSITORIES: Readonly<Record<string, () => Promise<Repository>>> = {
  apt: async () => (await import('./apt/repository')).apt,
  'esp-web-tools': async () => (await import('./flashing/espressif')).espWebTools,
  esphome: async () => (await import('./flashing/espressif')).espHome,
  fdroid: async () => (await import('./fdroid/repository')).fdroid,
  imager: async () => (await import('./flashing/imager')).imager,
  keys: async () => (await import('./proof')).keys,
  rpm: async () => (await import('./rpm/repository')).rpm,
  proof: async () => (await import('./proof')).proofs,
}

/** Serves each project as repositories for package managers, and the proofs of its releases. */
export function repositoryRoutes(router: Router, context: Deps): void {
  const { delivery } = context.transfers
  const addresses = { forAll: api.feeds.repository, forTesters: api.testers.repository, asVisitor: true } as const
  const serve = async (ctx: Context, entrance: Entrance, { format, path }: { format: string; path: string }) => {
    const load = Object.hasOwn(REPOSITORIES, format) ? REPOSITORIES[format] : undefined
    const address = `${shareUrl(context.network, ctx).url}${entrance.base}/feeds/${format}`
    const reply = await (await load?.())?.(context, { entrance, path: path.split('/'), address })
    if (!reply) throw notFound('File')
    // A page that installs firmware is of its creator; what needs no account is no secret of this address.
    if (format === 'esp-web-tools') ctx.set('Access-Control-Allow-Origin', '*')
    if ('id' in reply) return delivery.send(ctx, reply, { projectId: entrance.project.id })
    sendDocument(ctx, reply.type, reply.content, reply.modifiedAt)
  }
  serveEntrances(router, context, addresses, serve)
}
