import { z } from 'zod'
import { downloadErrors, downloadInput, endpoint } from './endpoint'
import { idOrSlug, line } from './fields'

/** Members, too, get what visitors may have. */
const forVisitors = {
  method: 'GET',
  access: 'anyone',
  boundKeys: true,
  input: z.object({ id: idOrSlug }),
  reply: z.object({}),
  download: true,
} as const
const feed = { ...forVisitors, heavy: true, errors: ['not_found'] } as const

export const feeds = {
  atom: endpoint({
    ...feed,
    path: '/p/:id/feeds/atom.xml',
    summary: 'The newest releases and updates of a project, as an Atom feed for feed readers',
  }),
  json: endpoint({
    ...feed,
    path: '/p/:id/feeds/feed.json',
    summary: 'The newest releases and updates of a project, as a JSON Feed for feed readers',
  }),
  electron: endpoint({
    ...feed,
    path: '/p/:id/feeds/electron/:feed',
    summary: 'The newest release, for electron-updater: `latest.yml`, `latest-mac.yml`, `latest-linux.yml`, `beta.yml`',
    /** Channel, platform and architecture as electron-updater writes them; `latest` is the channel `stable`. */
    input: feed.input.extend({ feed: line(80) }),
  }),
  electronFile: endpoint({
    ...forVisitors,
    path: '/p/:id/feeds/electron/:version/:filename',
    summary: 'Download a file that an electron-updater feed names; with `.blockmap` behind it, the map of its blocks',
    input: feed.input.extend({ version: line(64), filename: line(255 + '.blockmap'.length), ...downloadInput }),
    errors: downloadErrors,
  }),
}
