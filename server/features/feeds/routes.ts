import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { sendDocument } from '../../http/send/send-document'
import { shareUrl } from '../../network/share-url'
import type { Entrance } from '../releases/entrance'
import { serveEntrances } from '../testers/serve-entrances'
import { updateFeeds } from './electron-feeds'
import { buildNewsFeed } from './entries'
import { atomFeed, jsonFeed } from './formats'

type Deps = Rooms<'accounts' | 'files' | 'network' | 'projects' | 'transfers'>

/** Feeds of a project, for feed readers and updaters. */
export function projectFeedRoutes(router: Router, context: Deps): void {
  const { feeds, testers } = api
  const { atom, json, electron, electronFile } = projectFeeds(context)
  const calls = {
    atom: (ctx: Context, entrance: Entrance) => atom(ctx, entrance),
    json: (ctx: Context, entrance: Entrance) => json(ctx, entrance),
    electron: (ctx: Context, entrance: Entrance, { feed }: { feed: string }) =>
      electron(ctx, entrance, feed),
    electronFile,
  }

  const both = <Name extends keyof typeof calls>(name: Name) =>
    ({ forAll: feeds[name], forTesters: testers[name], asVisitor: true }) as const

  serveEntrances(router, context, both('atom'), calls.atom)
  serveEntrances(router, context, both('json'), calls.json)
  serveEntrances(router, context, both('electron'), calls.electron)
  serveEntrances(router, context, both('electronFile'), calls.electronFile)
}

/** Returns functions that send the feeds of a project through any entrance. */
function projectFeeds(context: Deps) {
  const newsFor = (ctx: Context, entrance: Entrance, name: string) =>
    buildNewsFeed(context, entrance, shareUrl(context.network, ctx).url, name)

  return {
    ...updateFeeds(context),

    atom: async (ctx: Context, entrance: Entrance) =>
      sendDocument(
        ctx,
        'application/atom+xml; charset=utf-8',
        atomFeed(await newsFor(ctx, entrance, 'atom.xml')),
      ),

    json: async (ctx: Context, entrance: Entrance) =>
      sendDocument(
        ctx,
        'application/feed+json; charset=utf-8',
        jsonFeed(await newsFor(ctx, entrance, 'feed.json')),
      ),
  }
}
