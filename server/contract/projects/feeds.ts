import { z } from 'zod'
import { downloadErrors, endpoint } from '../endpoint'
import { describe, downloadInput, line, projectId } from '../fields'

/** Members get the same as visitors. */
const forVisitors = {
  method: 'GET',
  access: 'anyone',
  boundKeys: true,
  input: z.object({ id: projectId }),
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
  repository: endpoint({
    ...forVisitors,
    path: '/p/:id/feeds/:format/*path',
    summary:
      'A file of a repository that the project is for package managers (`apt`, `rpm`, `fdroid`, `pacman`, `pip`, `npm`, `winget`, `scoop`, `homebrew`, `vagrant`), of a feed for stores and updaters inside of apps (`altstore`, `sparkle`, `tauri`, `squirrel`, `zsync`, `firefox`, `chromium`), of a list for programs that write images and firmware (`imager`, `esp-web-tools`, `esphome`), of the proofs of a release (`proof`), or of the keys of this host (`keys`)',
    input: forVisitors.input.extend({
      format: describe(line(20), 'The kind of repository or feed, such as apt, fdroid, sparkle or proof', 'apt'),
      path: describe(line(600), 'The path of the file in the repository', 'dists/stable/InRelease'),
    }),
    errors: downloadErrors,
  }),
  electron: endpoint({
    ...feed,
    path: '/p/:id/feeds/electron/:feed',
    summary: 'The newest release, for electron-updater: `latest.yml`, `latest-mac.yml`, `latest-linux.yml`, `beta.yml`',
    /** Channel, platform and architecture as electron-updater writes them; `latest` is the channel `stable`. */
    input: feed.input.extend({
      feed: describe(line(80), 'The name that electron-updater asks for', 'latest-linux.yml'),
    }),
  }),
  electronFile: endpoint({
    ...forVisitors,
    path: '/p/:id/feeds/electron/:version/:filename',
    summary: 'Download a file that an electron-updater feed names; with `.blockmap` behind it, the map of its blocks',
    input: feed.input.extend({
      version: describe(line(64), 'The version of the release, such as 1.4.0', '1.4.0'),
      filename: describe(
        line(255 + '.blockmap'.length),
        'The name of the file, or of its block map',
        'lantern-1.4.0.apk',
      ),
      ...downloadInput,
    }),
    errors: downloadErrors,
  }),
}
