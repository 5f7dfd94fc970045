import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { wingetSearchSchema } from '../../contract/projects/feeds'
import { notFound } from '../../core/errors'
import { callerOf } from '../../http/endpoint/call'
import { readJson } from '../../http/endpoint/read-json'
import { replyToCall } from '../../http/endpoint/reply-json'
import { parseInput } from '../../http/endpoint/serve'
import { sendDocument } from '../../http/send/send-document'
import { shareUrl } from '../../network/share-url'
import type { Entrance } from '../releases/entrance'
import { serveEntrances } from '../testers/serve-entrances'
import { hasChannel, readParts, type Repository } from './repository'

type Deps = Rooms<
  'accounts' | 'data' | 'files' | 'network' | 'projects' | 'repositories' | 'transfers'
>

/** Each kind loads with its first request, because most hosts serve one or two kinds. */
const REPOSITORIES = {
  altstore: async () => (await import('./updaters/altstore')).altstore,
  apt: async () => (await import('./apt/repository')).apt,
  chromium: async () => (await import('./updaters/extensions')).chromium,
  'esp-web-tools': async () => (await import('./flashing/espressif')).espWebTools,
  esphome: async () => (await import('./flashing/espressif')).espHome,
  fdroid: async () => (await import('./fdroid/repository')).fdroid,
  firefox: async () => (await import('./updaters/extensions')).firefox,
  homebrew: async () => (await import('./git/taps')).homebrew,
  imager: async () => (await import('./flashing/imager')).imager,
  keys: async () => (await import('./proof')).keys,
  npm: async () => (await import('./npm/repository')).npm,
  pacman: async () => (await import('./pacman/repository')).pacman,
  pip: async () => (await import('./pip/repository')).pip,
  rpm: async () => (await import('./rpm/repository')).rpm,
  proof: async () => (await import('./proof')).proofs,
  scoop: async () => (await import('./git/taps')).scoop,
  sparkle: async () => (await import('./updaters/sparkle')).sparkle,
  squirrel: async () => (await import('./updaters/squirrel')).squirrel,
  tauri: async () => (await import('./updaters/tauri')).tauri,
  vagrant: async () => (await import('./updaters/vagrant')).vagrant,
  winget: async () => (await import('./updaters/winget')).winget,
  zsync: async () => (await import('./updaters/zsync')).zsync,
} satisfies Record<string, () => Promise<Repository>>
/** The name of a kind of repository in its address: `/p/rocket/feeds/{format}/`. */
export type RepositoryFormat = keyof typeof REPOSITORIES

const isFormat = (name: string): name is RepositoryFormat => Object.hasOwn(REPOSITORIES, name)

const loadWinget = () =>
  Promise.all([import('./updaters/winget'), import('./updaters/winget-search')])

/** Serves each project as repositories for package managers, and the proofs of its releases. */
export function repositoryRoutes(router: Router, context: Deps): void {
  const { delivery } = context.transfers

  const addresses = {
    forAll: api.feeds.repository,
    forTesters: api.testers.repository,
    asVisitor: true,
  } as const

  const serve = async (ctx: Context, entrance: Entrance, { format }: { format: string }) => {
    const load: (() => Promise<Repository>) | undefined = isFormat(format)
      ? REPOSITORIES[format]
      : undefined

    const address = `${shareUrl(context.network, ctx).url}${entrance.base}/feeds/${format}`
    const accepts = (...types: string[]) => ctx.accepts(...types)
    const { visitor } = callerOf(ctx)
    const request = { entrance, path: readParts(ctx.path), address, accepts, visitor }

    const reply = await (await load?.())?.(context, request)
    if (!reply) throw notFound('File')
    if (reply === 'nothing') return void (ctx.status = 204)

    // Pages that install firmware are on the creator's own site. Content without an account is
    // public.
    if (format === 'esp-web-tools') ctx.set('Access-Control-Allow-Origin', '*')

    if ('id' in reply) return delivery.send(ctx, reply, { projectId: entrance.project.id })
    if ('location' in reply) {
      ctx.set('Cache-Control', 'no-store')
      return ctx.redirect(reply.location)
    }

    if (reply.vary) ctx.vary(reply.vary)
    sendDocument(ctx, reply.type, reply.content, reply.modifiedAt)
  }

  serveEntrances(router, context, addresses, serve)

  const searches = {
    forAll: api.feeds.searchWinget,
    forTesters: api.testers.searchWinget,
    asVisitor: true,
  } as const
  serveEntrances(router, context, searches, async (ctx, entrance, { channel }) => {
    if (!hasChannel(context, entrance, channel)) throw notFound('Channel')

    const search = parseInput(wingetSearchSchema, await readJson(ctx))
    const [{ readPackage }, { fitsSearch, presentResult }] = await loadWinget()

    const candidate = await readPackage(
      context,
      { entrance, address: shareUrl(context.network, ctx).url },
      channel,
    )

    replyToCall(ctx, api.feeds.searchWinget, {
      Data: candidate && fitsSearch(candidate, search) ? [presentResult(candidate)] : [],
    })
  })
}
