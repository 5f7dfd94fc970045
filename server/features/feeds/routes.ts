import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { sendDocument } from '../../http/send/send-document'
import { shareUrl } from '../../network/share-url'
import type { Audience } from '../releases/audience'
import { serveAudiences } from '../testers/serve-audiences'
import { updateFeeds } from './electron-feeds'
import { buildNewsFeed } from './entries'
import { atomFeed, jsonFeed } from './formats'

type Deps = Rooms<'accounts' | 'files' | 'network' | 'projects' | 'transfers'>

/** Feeds of a project, for feed readers and updaters. */
export function feedRoutes(router: Router, context: Deps): void {
  const { feeds, testers } = api
  const { atom, json, electron, electronFile } = projectFeeds(context)
  const calls = {
    atom: (ctx: Context, audience: Audience) => atom(ctx, audience),
    json: (ctx: Context, audience: Audience) => json(ctx, audience),
    electron: (ctx: Context, audience: Audience, { feed }: { feed: string }) =>
      electron(ctx, audience, feed),
    electronFile,
  }

  const both = <Name extends keyof typeof calls>(name: Name) =>
    ({ forAll: feeds[name], forTesters: testers[name], asVisitor: true }) as const

  serveAudiences(router, context, both('atom'), calls.atom)
  serveAudiences(router, context, both('json'), calls.json)
  serveAudiences(router, context, both('electron'), calls.electron)
  serveAudiences(router, context, both('electronFile'), calls.electronFile)
}

/** Returns functions that send the feeds of a project to any audience. */
function projectFeeds(context: Deps) {
  const newsFor = (ctx: Context, audience: Audience, name: string) =>
    buildNewsFeed(context, audience, shareUrl(context.network, ctx).url, name)

  return {
    ...updateFeeds(context),

    atom: async (ctx: Context, audience: Audience) =>
      sendDocument(
        ctx,
        'application/atom+xml; charset=utf-8',
        atomFeed(await newsFor(ctx, audience, 'atom.xml')),
      ),

    json: async (ctx: Context, audience: Audience) =>
      sendDocument(
        ctx,
        'application/feed+json; charset=utf-8',
        jsonFeed(await newsFor(ctx, audience, 'feed.json')),
      ),
  }
}
