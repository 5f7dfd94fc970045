import parse from 'semver/functions/parse.js'
import { architectureIn } from '../../../contract'
import { compareVersions } from '../../../core/versions'
import { audienceOf, hasChannel, type Repository } from '../repository'
import { json, oneDocument, readFeed, type Build, type Document, type Feed } from './feed'

/**
 * What Tauri's updater installs, by preference for clients that do not ask by bundle; earlier
 * versions packed each again.
 */
const FORMATS: readonly (readonly [system: string, bundle: string, name: RegExp])[] = [
  ['darwin', 'app', /\.app\.tar\.gz$/i],
  ['windows', 'nsis', /\.(exe|nsis\.zip)$/i],
  ['windows', 'msi', /\.msi(\.zip)?$/i],
  ['linux', 'appimage', /\.appimage(\.tar\.gz)?$/i],
  ['linux', 'deb', /\.deb$/i],
  ['linux', 'rpm', /\.rpm$/i],
]

/** Rust's names of architectures, by ours. */
const ARCHITECTURES: Readonly<Record<string, string>> = {
  x64: 'x86_64',
  arm64: 'aarch64',
  x86: 'i686',
  arm: 'armv7',
}

/**
 * The targets of a build as Tauri calls them, such as `linux-x86_64`; an app for macOS without a
 * name of one is for both.
 */
function listTargets(system: string, { filename, architectures }: Build): string[] {
  const named = architectureIn(filename)
  const names = named === undefined ? architectures : [named]
  const usual = system === 'darwin' ? ['x64', 'arm64'] : ['x64']
  return (names.length > 0 ? names : usual).flatMap((name) => {
    const architecture = ARCHITECTURES[name]
    return architecture === undefined ? [] : [`${system}-${architecture}`]
  })
}

interface Update {
  version: string
  notes: string
  pub_date: string
  platforms: Record<string, { url: string; signature: string }>
}

/**
 * The releases that Tauri can install, newest first: their version is semantic, and the creator has
 * signed a file.
 */
function listUpdates({ builds }: Feed): Update[] {
  return [...Map.groupBy(builds, (build) => build.release)].flatMap(([release, files]) => {
    const version = parse(release)?.version
    const platforms = findPlatforms(files)
    if (version === undefined || Object.keys(platforms).length === 0) return []
    const [newest] = files
    return [{ version, notes: newest?.notes ?? '', pub_date: newest?.publishedAt ?? '', platforms }]
  })
}

/**
 * An installed bundle asks for its own kind first, and would install the bytes of another over
 * itself.
 */
function findPlatforms(files: readonly Build[]): Update['platforms'] {
  const platforms: Update['platforms'] = {}
  for (const [system, bundle, name] of FORMATS)
    for (const build of files) {
      const { filename, url, signature } = build
      if (!name.test(filename) || signature?.tauri === undefined) continue
      for (const target of listTargets(system, build))
        for (const key of [target, `${target}-${bundle}`])
          platforms[key] ??= { url, signature: signature.tauri }
    }
  return platforms
}

/** Prints what Tauri calls a static JSON file (tauri.app, "Updater"). */
export function printTauri(feed: Feed): string | undefined {
  const [update] = listUpdates(feed)
  return update && json(update)
}

const MOST_RELEASES = 20

const document: Document = {
  name: () => 'latest.json',
  type: 'application/json',
  most: MOST_RELEASES,
  reads: ['signature'],
  print: printTauri,
}
const latest = oneDocument(document)

/**
 * The project for Tauri: `tauri/{channel}/latest.json`, and for one computer
 * `tauri/{channel}/{target}/{arch}/{version}`, which is empty if it has the newest.
 */
export const tauri: Repository = async (deps, request) => {
  const [channel = '', system, architecture, current, ...more] = request.path
  if (system === undefined || architecture === undefined) return latest(deps, request)
  if (current === undefined || more.length > 0 || !hasChannel(deps, request.entrance, channel))
    return undefined
  const target = `${system}-${architecture}`
  const key = ['tauri', channel, audienceOf(request.entrance), request.address].join(' ')
  const updates = await deps.repositories.built.get(key, async () =>
    listUpdates(await readFeed(deps, request, channel, document)),
  )
  const update = updates.find(({ platforms }) => Object.hasOwn(platforms, target))
  if (!update || compareVersions(update.version, current) <= 0) return 'nothing'
  return { type: document.type, content: json(update) }
}
