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
import { shareUrl } from '../../network/addresses'
import type { Audience } from '../releases/audience'
import { serveAudiences } from '../testers/serve-audiences'
import { hasChannel, readParts, type UpdateSource } from './repository'
import { updateSources, type ServedClient } from './update-sources'

type Deps = Rooms<
  'accounts' | 'data' | 'files' | 'network' | 'projects' | 'repositories' | 'transfers'
>

/** Further documents: the proofs of releases, and the keys that sign them. */
const PROOFS = {
  keys: { takes: () => false, isLasting: true, load: async () => (await import('./proof')).keys },
  proof: { takes: () => false, load: async () => (await import('./proof')).proofs },
} satisfies Record<string, UpdateSource>
/** The name of a repository in its address: `/p/rocket/feeds/{format}/`. */
export type RepositoryFormat = ServedClient | keyof typeof PROOFS

const sources: ReadonlyMap<string, UpdateSource> = new Map(
  Object.entries<UpdateSource>({ ...updateSources, ...PROOFS }),
)

const loadWinget = () =>
  Promise.all([import('./updaters/winget'), import('./updaters/winget-search')])

/** Serves each project as repositories for package managers, and the proofs of its releases. */
export function repositoryRoutes(router: Router, context: Deps): void {
  const { delivery } = context.transfers

  const addresses = {
    forAll: api.feeds.repository,
    forTesters: api.testers.repository,
    asVisitor: true,
    hasUpdates: true,
    isLasting: ({ format }: { format: string }) => sources.get(format)?.isLasting === true,
  } as const

  const serve = async (ctx: Context, audience: Audience, { format }: { format: string }) => {
    const source = sources.get(format)
    if (!source?.load) throw notFound('File')
    // systemd-pull 252 waits forever for its next file on a connection that stays open.
    if (format === 'proof') ctx.set('Connection', 'close')

    const address = `${shareUrl(context.network, ctx).url}${audience.base}/feeds/${format}`
    const accepts = (...types: string[]) => ctx.accepts(...types)
    const { visitor } = callerOf(ctx)
    const request = {
      audience,
      path: readParts(ctx.path),
      query: ctx.query,
      address,
      accepts,
      visitor,
      source,
    }
    const repository = await source.load()
    const reply = await repository(context, request)
    if (!reply) throw notFound('File')
    if (reply === 'nothing') return void (ctx.status = 204)

    // Pages that install firmware are on the creator's own site. Content without an account is
    // public.
    if (format === 'esp-web-tools') ctx.set('Access-Control-Allow-Origin', '*')

    if ('id' in reply) return delivery.send(ctx, reply, { projectId: audience.project.id })
    if ('location' in reply) {
      ctx.set('Cache-Control', 'no-store')
      return ctx.redirect(reply.location)
    }

    if (reply.vary) ctx.vary(reply.vary)
    sendDocument(ctx, reply.type, reply.content, reply.modifiedAt)
  }

  serveAudiences(router, context, addresses, serve)

  const searches = {
    forAll: api.feeds.searchWinget,
    forTesters: api.testers.searchWinget,
    asVisitor: true,
  } as const
  serveAudiences(router, context, searches, async (ctx, audience, { channel }) => {
    if (!hasChannel(context, audience, channel)) throw notFound('Channel')

    const search = parseInput(wingetSearchSchema, await readJson(ctx))
    const [{ readPackage }, { fitsSearch, presentResult }] = await loadWinget()

    const candidate = await readPackage(
      context,
      { audience, address: shareUrl(context.network, ctx).url, source: updateSources.winget },
      channel,
    )

    replyToCall(ctx, api.feeds.searchWinget, {
      Data: candidate && fitsSearch(candidate, search) ? [presentResult(candidate)] : [],
    })
  })
}
