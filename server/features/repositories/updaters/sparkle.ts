import { markup } from '../../../http/pages/html'
import { limitNotes, oneDocument, type Build, type Feed } from './feed'

/** The most releases whose notes Sparkle shows. */
const MOST_RELEASES = 20
const WINDOWS = /\.(exe|msi)$/i

/** Prints an appcast for Sparkle and WinSparkle (sparkle-project.org, "Publishing an update"). */
export function printAppcast({ title, page, builds }: Feed): string {
  const releases = [...Map.groupBy(builds, ({ release }) => release).values()]
  const limited = limitNotes()
  const items = releases.flatMap((files) => [...macItem(files), ...windowsItems(files)])

  return markup`<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:sparkle="http://www.andymatuschak.org/xml-namespaces/sparkle">
  <channel>
    <title>${title}</title>
    <link>${page}</link>${items.map(({ build, system, version }) => {
      const { ed25519 } = build.signature ?? {}
      return markup`
    <item>
      <title>${build.release}</title>
      <pubDate>${new Date(build.publishedAt).toUTCString()}</pubDate>
      <sparkle:version>${version}</sparkle:version>
      <sparkle:shortVersionString>${build.version}</sparkle:shortVersionString>${minimum(build)}
      <description>${limited(build.html)}</description>
      <enclosure url="${build.url}" length="${build.size}" type="application/octet-stream"${
        system !== undefined && markup` sparkle:os="${system}"`
      }${ed25519 !== undefined && markup` sparkle:edSignature="${ed25519}"`}/>
    </item>`
    })}
  </channel>
</rss>
`.text
}

interface Item {
  build: Build
  /** Undefined for macOS. */
  system?: string
  /**
   * The version that the app compares with its own: CFBundleVersion, or the version of a Windows
   * program.
   */
  version: string
}

/**
 * Returns one item for macOS: Sparkle cannot distinguish processors, and an Intel app runs on both.
 */
function macItem(files: readonly Build[]): Item[] {
  const apps = files.filter(({ filename }) => !WINDOWS.test(filename))

  const build =
    apps.find(isUniversal) ??
    apps.find(({ architectures }) => architectures.includes('x64')) ??
    apps[0]

  // Sparkle compares only build numbers. A disk image has none, but the app in a zip of the same
  // release does.
  const number =
    build?.facts?.build ?? apps.find(({ facts }) => facts?.build !== undefined)?.facts?.build

  return build && number != null ? [{ build, version: number }] : []
}

const isUniversal = ({ architectures: names }: Build) =>
  names.length === 0 || (names.includes('x64') && names.includes('arm64'))

/**
 * Returns the newest item for each processor. WinSparkle distinguishes them as `windows-x64` and so
 * on.
 */
function windowsItems(files: readonly Build[]): Item[] {
  const bySystem = Map.groupBy(
    files.filter(({ filename }) => WINDOWS.test(filename)),
    systemOf,
  )
  return [...bySystem].flatMap(([system, [build]]) =>
    build ? [{ build, version: build.version, system }] : [],
  )
}

function systemOf({ architectures: [architecture] }: Build): string {
  const isNamed = architecture !== undefined && ['x64', 'x86', 'arm64'].includes(architecture)
  return isNamed ? `windows-${architecture}` : 'windows'
}

function minimum({ facts }: Build) {
  const [, version] = /^macOS ([\d.]+)$/.exec(facts?.minOs ?? '') ?? []
  return (
    version !== undefined &&
    markup`
      <sparkle:minimumSystemVersion>${version}</sparkle:minimumSystemVersion>`
  )
}

/** Serves the project as an appcast, `sparkle/{channel}/appcast.xml`. */
export const sparkle = oneDocument({
  name: () => 'appcast.xml',
  type: 'application/rss+xml; charset=utf-8',
  most: MOST_RELEASES,
  reads: ['signature', 'html'],
  print: printAppcast,
})
