import { json, newestOf, type Build, type Document, type Feed } from './feed'
import { chooseBuilds, installerOf } from './windows'

const ARCHITECTURES: Readonly<Record<string, string>> = {
  x64: '64bit',
  x86: '32bit',
  arm64: 'arm64',
}
/** Prefers programs without an installer: Scoop only unpacks. */
const ORDER = ['zip', 'exe', 'msi']

/**
 * Prints a manifest of Scoop (its schema.json). Returns undefined if Scoop accepts neither the
 * version nor any file.
 */
export function printScoop(feed: Feed): string | undefined {
  const [newest] = newestOf(feed)
  const chosen = [...chooseBuilds(feed, ORDER)].flatMap(([name, build]) => {
    const architecture = ARCHITECTURES[name]
    return architecture === undefined ? [] : [{ architecture, build }]
  })

  // Scoop has one flag for all builds.
  const isInno = chosen[0] !== undefined && installerOf(chosen[0].build) === 'inno'
  const builds = chosen.filter(({ build }) => (installerOf(build) === 'inno') === isInno)

  if (builds.length === 0 || !newest || !/^[\w.\-+]+$/.test(newest.release)) return undefined

  const { title, summary, page } = feed
  return json({
    version: newest.release,
    description: summary === '' ? title : summary,
    homepage: page,
    license: 'Unknown',
    ...(isInno && { innosetup: true }),
    architecture: Object.fromEntries(
      builds.map(({ architecture, build }) => [architecture, describe(build, feed.slug)]),
    ),
  })
}

function describe(build: Build, slug: string) {
  const { url, sha256: hash } = build
  const installer = installerOf(build)
  // Scoop uses the fragment as the name of the download, and unpacks archives.
  if (installer === 'nullsoft') return { url: `${url}#/dl.7z`, hash }
  return installer === 'program'
    ? { url: `${url}#/${slug}.exe`, hash, bin: `${slug}.exe` }
    : { url, hash }
}

/** A manifest, `{slug}.json`. Scoop names the program after the file. */
export const scoopManifest: Document = {
  name: (slug) => `${slug}.json`,
  type: 'application/json',
  most: 1,
  reads: ['details'],
  print: printScoop,
}
