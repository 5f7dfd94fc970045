import parse from 'semver/functions/parse.js'
import { architectureIn, platformOf } from '../../contract'
import type { ListedRelease } from '../projects/project-view'
import { architecturesOf } from '../releases/choose-file'

type Listed = ListedRelease['files'][number]
type Offered = Pick<Listed['file'], 'filename' | 'facts'>

/** The update target, as the filename of a feed names it. */
export interface Target {
  channel: string
  system: 'windows' | 'mac' | 'linux'
  /** Linux only: the other systems list all architectures in one feed. Undefined if unknown. */
  architecture: string | undefined
}

/** Maps Node's names of architectures (`process.arch`) to ours. */
const ARCHITECTURES: Readonly<Record<string, string>> = {
  x64: 'x64',
  arm64: 'arm64',
  arm: 'arm',
  ia32: 'x86',
}

/** Architectures in the order of entries. Files that name no architecture come first. */
const BY_ARCHITECTURE = [undefined, 'x64', 'x86', 'arm64', 'arm']

/**
 * Reads the name of a feed: `{channel}[-mac|-linux[-{arch}]].yml`, where `latest` is our channel
 * `stable` (electron-updater 6, providers/Provider.js). Returns undefined for other names.
 */
export function targetOf(name: string): Target | undefined {
  const [, named = '', system, arch] =
    /^([a-z0-9]+(?:-[a-z0-9]+)*?)(?:-(mac|linux)(?:-([a-z0-9]+))?)?\.yml$/.exec(name) ?? []
  if (named === '') return undefined
  const channel = named === 'latest' ? 'stable' : named
  if (system === 'linux') return { channel, system, architecture: ARCHITECTURES[arch ?? 'x64'] }
  return { channel, system: system === 'mac' ? 'mac' : 'windows', architecture: undefined }
}

/** Finds the newest release for a target, with its files, best first. `all`: newest first. */
export function findUpdate(all: Iterable<ListedRelease>, target: Target) {
  for (const { release, files } of all) {
    const semver = parse(release.version)
    if (
      release.state !== 'published' ||
      ![target.channel, 'stable'].includes(release.channel) ||
      !semver
    )
      continue

    const chosen = filesFor(files, target)
    if (chosen.length > 0) return { release, version: semver.version, files: chosen }
  }
  return undefined
}

/**
 * Returns the system whose updater takes the file, or undefined if there is none. Apps for macOS
 * update from a zip.
 */
export function systemOf({
  link,
  file,
}: {
  link: Pick<Listed['link'], 'platform'>
  file: Offered
}) {
  const { filename, facts } = file
  if (/\.exe$/i.test(filename)) return 'windows'
  if (/\.(appimage|deb|rpm|pacman)$/i.test(filename)) return 'linux'

  if (!/\.zip$/i.test(filename)) return undefined
  const isMac = facts?.kind === 'app' || /(?<![a-z])(mac|macos|darwin|osx)(?![a-z])/i.test(filename)
  return isMac || platformOf({ filename, platform: link.platform }) === 'macOS' ? 'mac' : undefined
}

/** Returns the newest file of each name: a name is one download address. `files`: newest first. */
function filesFor(files: readonly Listed[], { system, architecture }: Target): Listed[] {
  const newest = new Map(files.toReversed().map((listed) => [listed.file.filename, listed]))
  const suits = (listed: Listed) =>
    systemOf(listed) === system && (system !== 'linux' || suitsLinux(listed, architecture))
  return [...newest.values()]
    .toReversed()
    .filter(suits)
    .sort((a, b) => rankFile(a, architecture) - rankFile(b, architecture))
}

const suitsLinux = (listed: Listed, architecture: string | undefined) =>
  architecture !== undefined &&
  architecturesOf(listed).some((it) => it === undefined || it === architecture)

/**
 * Ranks a file for one architecture: electron-updater takes the first file that names its
 * architecture, else the first file. An installer comes before other files.
 */
function rankFile(listed: Listed, architecture: string | undefined): number {
  const { filename } = listed.file
  if (architecture !== undefined) return architecturesOf(listed).includes(architecture) ? 0 : 1
  const isPortable = /portable/i.test(filename) ? 1 : 0
  return isPortable * BY_ARCHITECTURE.length + BY_ARCHITECTURE.indexOf(architectureIn(filename))
}

/** A file of the feed. Its URL is relative to the feed. */
interface FeedFile {
  url: string
  sha512: string
  size: number
  blockMapSize?: number | undefined
}

interface Feed {
  /** A semantic version. */
  version: string
  files: readonly FeedFile[]
  /** UTC ISO 8601. */
  releaseDate: string
  releaseNotes: string
  /** The percentage of apps that may update. Undefined: all of them. */
  rollout: number | undefined
}

/** Writes the feed of electron-updater 6: YAML, whose texts and maps are JSON. */
export function electronFeed({ version, files, releaseDate, releaseNotes, rollout }: Feed): string {
  const [first] = files
  const lines = [
    `version: ${yaml(version)}`,
    'files:',
    ...files.map((file) => `  - ${yaml(file)}`),
    // Earlier versions of electron-updater and websites read the first file from here.
    `path: ${yaml(first?.url)}`,
    `sha512: ${yaml(first?.sha512)}`,
    `releaseDate: ${yaml(releaseDate)}`,
    // Each app draws a number once and compares it (electron-updater 6, AppUpdater.isStagingMatch).
    ...(rollout === undefined ? [] : [`stagingPercentage: ${rollout}`]),
    ...(releaseNotes === '' ? [] : [`releaseNotes: ${yaml(releaseNotes)}`]),
  ]

  return `${lines.join('\n')}\n`
}

/** Prints JSON without the characters that YAML 1.2 (§5.1) does not allow unescaped. */
const yaml = (value: unknown) =>
  JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
