import parse from 'semver/functions/parse.js'
import { architectureIn } from '../../../contract'
import { compareVersions } from '../../../core/versions'
import { audienceKey, hasChannel, type Repository } from '../repository'
import { json, oneDocument, readFeed, type Build, type Document, type Feed } from './feed'

/**
 * What Tauri's updater installs, in order of preference for clients that do not name their bundle.
 * Earlier versions of Tauri repacked each bundle.
 */
const FORMATS: readonly (readonly [system: string, bundle: string, name: RegExp])[] = [
  ['darwin', 'app', /\.app\.tar\.gz$/i],
  ['windows', 'nsis', /\.(exe|nsis\.zip)$/i],
  ['windows', 'msi', /\.msi(\.zip)?$/i],
  ['linux', 'appimage', /\.appimage(\.tar\.gz)?$/i],
  ['linux', 'deb', /\.deb$/i],
  ['linux', 'rpm', /\.rpm$/i],
]

/** Maps our names of architectures to Rust's. */
const ARCHITECTURES: Readonly<Record<string, string>> = {
  x64: 'x86_64',
  arm64: 'aarch64',
  x86: 'i686',
  arm: 'armv7',
}

/**
 * Lists the Tauri targets of a build, such as `linux-x86_64`. A macOS app whose name states no
 * architecture is for both.
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
 * Lists the releases that Tauri can install, newest first: they have a semantic version, and a file
 * with the creator's signature.
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
 * Maps targets to signed files. An installed bundle asks for its own kind first, and would
 * overwrite itself with the bytes of another kind.
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

/** Prints a static JSON file of Tauri (tauri.app, "Updater"). */
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
 * Serves `tauri/{channel}/latest.json`, and for one computer
 * `tauri/{channel}/{target}/{arch}/{version}`, which is empty if there is nothing newer.
 */
export const tauri: Repository = async (deps, request) => {
  const [channel = '', system, architecture, current, ...more] = request.path
  if (system === undefined || architecture === undefined) return latest(deps, request)
  if (current === undefined || more.length > 0 || !hasChannel(deps, request.audience, channel))
    return undefined

  const target = `${system}-${architecture}`
  const key = ['tauri', channel, audienceKey(request.audience), request.address].join(' ')

  const updates = await deps.repositories.built.get(key, async () =>
    listUpdates(await readFeed(deps, request, channel, document)),
  )
  const update = updates.find(({ platforms }) => Object.hasOwn(platforms, target))

  if (!update || compareVersions(update.version, current) <= 0) return 'nothing'
  return { type: document.type, content: json(update) }
}
