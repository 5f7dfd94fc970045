import { z } from 'zod'
import { downloadErrors, endpoint } from '../endpoint'
import { channel, describe, downloadInput, line, projectId } from '../fields'

/** A search term and how to compare it (winget-cli-restsource 1.10, "SearchRequestMatch"). */
export const wingetMatch = z.object({
  KeyWord: z.string().max(255),
  MatchType: z.enum([
    'Exact',
    'CaseInsensitive',
    'StartsWith',
    'Substring',
    'Wildcard',
    'Fuzzy',
    'FuzzySubstring',
  ]),
})
const example = { KeyWord: 'lantern', MatchType: 'Substring' }

/** A later version may have more fields. */
const ofField = z.object({ PackageMatchField: z.string().max(64), RequestMatch: wingetMatch })
const ofFields = z.array(ofField).max(200).optional()
const fieldExample = [{ PackageMatchField: 'PackageName', RequestMatch: example }]

/**
 * A winget search request ("ManifestSearchRequestSchema"). Matches everything without a query and
 * inclusions.
 */
export const wingetSearchSchema = z.object({
  Query: describe(
    wingetMatch.optional(),
    'The text that the identifier, name or moniker must match',
    example,
  ),
  Inclusions: describe(ofFields, 'Alternative matches, by field', fieldExample),
  Filters: describe(ofFields, 'Additional required matches, by field', fieldExample),
})
export type WingetSearch = z.output<typeof wingetSearchSchema>

/** A winget search result ("ManifestSearchResultSchema"). A source here has at most one package. */
const wingetResultsSchema = z.object({
  Data: z.array(
    z.object({
      PackageIdentifier: z.string(),
      PackageName: z.string(),
      Publisher: z.string(),
      Versions: z.array(z.object({ PackageVersion: z.string() })),
    }),
  ),
})

/** Members get the same as visitors. */
const forVisitors = {
  access: 'anyone',
  boundKeys: true,
  input: z.object({ id: projectId }),
  download: true,
} as const
const feed = { ...forVisitors, heavy: true, errors: ['not_found'] } as const

export const feeds = {
  atom: endpoint('GET', '/p/:id/feeds/atom.xml', {
    ...feed,
    summary: 'The newest releases and news of a project, as an Atom feed for feed readers',
  }),
  json: endpoint('GET', '/p/:id/feeds/feed.json', {
    ...feed,
    summary: 'The newest releases and news of a project, as a JSON Feed for feed readers',
  }),
  repository: endpoint('GET', '/p/:id/feeds/:format/*path', {
    ...forVisitors,
    summary:
      'A file of the repository of a project for package managers (`apt`, `rpm`, ' +
      '`fdroid`, `pacman`, `pip`, `npm`, `winget`, `scoop`, `homebrew`, `vagrant`), of a feed ' +
      'for stores and updaters inside of apps (`altstore`, `sparkle`, `tauri`, `squirrel`, ' +
      '`zsync`, `firefox`, `chromium`), of a list for programs that write images and firmware ' +
      '(`imager`, `esp-web-tools`, `esphome`), of the proofs of a release (`proof`), or of ' +
      'the keys of this host (`keys`)',
    input: forVisitors.input.extend({
      format: describe(
        line(20),
        'The kind of repository or feed, such as apt, fdroid, sparkle or proof',
        'apt',
      ),
      path: describe(line(600), 'The path of the file in the repository', 'dists/stable/InRelease'),
    }),
    errors: downloadErrors,
  }),
  searchWinget: endpoint('POST', '/p/:id/feeds/winget/:channel/manifestSearch', {
    summary: 'Search the project as a REST source of winget; changes nothing',
    access: 'anyone',
    scope: 'read',
    boundKeys: true,
    input: wingetSearchSchema.extend({
      id: projectId,
      channel: describe(
        channel,
        'The channel of the source, which has the releases of stable too',
        'stable',
      ),
    }),
    reply: wingetResultsSchema,
    errors: ['not_found'],
  }),
  electron: endpoint('GET', '/p/:id/feeds/electron/:feed', {
    ...feed,
    summary:
      'The newest release, for electron-updater: `latest.yml`, `latest-mac.yml`, ' +
      '`latest-linux.yml`, `beta.yml`',
    /**
     * Channel, platform and architecture as electron-updater writes them; `latest` is the channel
     * `stable`.
     */
    input: feed.input.extend({
      feed: describe(line(80), 'The name that electron-updater asks for', 'latest-linux.yml'),
    }),
  }),
  electronFile: endpoint('GET', '/p/:id/feeds/electron/:version/:filename', {
    ...forVisitors,
    summary:
      'Download a file that an electron-updater feed names; with `.blockmap` ' +
      'appended, its block map',
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
