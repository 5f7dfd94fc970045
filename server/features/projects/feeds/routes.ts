import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Actor } from '../../../access/actor'
import type { Rooms } from '../../../compose/context'
import { api } from '../../../contract'
import { parseInput, serveRaw } from '../../../http/endpoint/serve'
import { sendDocument } from '../../../http/send/send-document'
import { shareUrl } from '../../../network/share-url'
import { publicEntrance, type Entrance } from '../entrance'
import { updateFeeds } from './electron-feeds'
import { newsOf } from './entries'
import { atomFeed, jsonFeed } from './formats'

type Needed = Rooms<'accounts' | 'files' | 'network' | 'projects' | 'transfers'>

/** A member's session changes nothing: their updater and feed reader get what everyone gets. */
const VISITOR: Actor = { kind: 'visitor' }

/** Feeds of a project, for feed readers and updaters. */
export function projectFeedRoutes(router: Router, context: Needed): void {
  const feeds = projectFeeds(context)

  serveRaw(router, api.feeds.atom, (ctx, _caller, params) =>
    feeds.atom(ctx, publicEntrance(context, VISITOR, parseInput(api.feeds.atom.input, params).id)),
  )

  serveRaw(router, api.feeds.json, (ctx, _caller, params) =>
    feeds.json(ctx, publicEntrance(context, VISITOR, parseInput(api.feeds.json.input, params).id)),
  )

  serveRaw(router, api.feeds.electron, (ctx, _caller, params) => {
    const { id, feed } = parseInput(api.feeds.electron.input, params)
    return feeds.electron(ctx, publicEntrance(context, VISITOR, id), feed)
  })

  serveRaw(router, api.feeds.electronFile, (ctx, _caller, params) => {
    const { id, ...named } = parseInput(api.feeds.electronFile.input, params)
    return feeds.electronFile(ctx, publicEntrance(context, VISITOR, id), named)
  })
}

/** Sends the feeds of a project through any entrance. */
function projectFeeds(context: Needed) {
  const newsFor = (ctx: Context, entrance: Entrance, name: string) =>
    newsOf(context, entrance, shareUrl(context.network, ctx).url, name)
  return {
    ...updateFeeds(context),

    atom: async (ctx: Context, entrance: Entrance) =>
      sendDocument(ctx, 'application/atom+xml; charset=utf-8', atomFeed(newsFor(ctx, entrance, 'atom.xml'))),

    json: async (ctx: Context, entrance: Entrance) =>
      sendDocument(ctx, 'application/feed+json; charset=utf-8', jsonFeed(newsFor(ctx, entrance, 'feed.json'))),
  }
}
