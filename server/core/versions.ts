import parse from 'semver/functions/parse.js'
import type SemVer from 'semver/classes/semver.js'
import { releaseVersion } from '../contract/fields'

/**
 * Numbers of up to three parts, more numbers, then anything: `v1.2.3.4-beta` is `1.2.3`, `.4`,
 * `-beta`.
 */
const SHAPE = /^[v=]?\s*(\d+)(?:\.(\d+))?(?:\.(\d+))?((?:\.\d+)*)(.*)$/is
/** Words that mark a pre-release without a hyphen: `1.0 beta 2`, `1.0rc1`, `1.0~rc1`. */
const EARLY = /^[\s._~(]*(alpha|beta|rc|pre|preview|dev|nightly|canary|snapshot)(?![a-z])/i
/**
 * Suffixes that semver parses. Others, as in `1.1.1w`, `9.8p1` and `10.0.1esr`, are no pre-release.
 */
const SEMVER = /^(?:$|[-+]|[abc]\d)/i

interface Reading {
  semver: SemVer
  /** The numbers after the third. */
  more: readonly string[]
  /** Words after the numbers that are no pre-release: `w`, `p1`. */
  suffix: readonly string[]
}

/** The sort key of a release. */
export interface Ordered {
  id: string
  version: string
  /** The build number of its package (versionCode, CFBundleVersion), if known. */
  build: string | null
  /** UTC ISO 8601. */
  at: string
}

/** The fields of a file that imply its version. */
export interface Versioned {
  version: string | null
  facts?: Packaged | null | undefined
}

/** The version facts of a package. */
interface Packaged {
  kind?: string
  version?: string | undefined
}

/**
 * The version of the release that a file joins: as entered for the link, else for the file, else
 * the package's own.
 */
export function resolveReleaseVersion(
  entered: string | null | undefined,
  file: Versioned | undefined,
): string | null {
  const parsed = releaseVersion.safeParse(entered ?? file?.version ?? versionInside(file?.facts))
  return parsed.success ? parsed.data : null
}

/**
 * The version of the packaged program, without the epoch and revision of a deb, rpm or Arch
 * package, which describe the packaging (deb-version(7)) and are no pre-release. `1:1.4.2-1` is
 * `1.4.2`; `1.4.2-beta.1`, as electron-builder writes it, is unchanged.
 */
export function versionInside(facts: Packaged | null | undefined): string | undefined {
  const isLinux = ['deb', 'rpm', 'pacman'].includes(facts?.kind ?? '')
  return isLinux ? facts?.version?.replace(/^\d+:/, '').replace(/-\d[^-]*$/, '') : facts?.version
}

/** The channel in which a release starts. */
export const usualChannel = (version: string): string => (isPrerelease(version) ? 'beta' : 'stable')

/** Whether a version is a pre-release, by semver or by words such as `beta`. */
export const isPrerelease = (version: string): boolean =>
  (read(version)?.semver.prerelease.length ?? 0) > 0

/**
 * Compares two versions: negative if the first is older, 0 if their numbers and letters are equal.
 * Words are below all numbers.
 */
export function compareVersions(a: string, b: string): number {
  const first = read(a)
  const second = read(b)

  if (first === undefined || second === undefined)
    return Number(first !== undefined) - Number(second !== undefined)

  return (
    first.semver.compareMain(second.semver) ||
    compareNumbers(first.more, second.more) ||
    first.semver.comparePre(second.semver) ||
    compareWords(first.suffix, second.suffix) ||
    first.semver.compareBuild(second.semver)
  )
}

/** Newest first: by version, then build number, then time. A total order. */
export function newestFirst(a: Ordered, b: Ordered): number {
  return (
    compareVersions(b.version, a.version) ||
    compareNumbers(numbersIn(b.build), numbersIn(a.build)) ||
    compareText(b.at, a.at) ||
    compareText(b.id, a.id)
  )
}

/** The readings of versions in use; bounded, because anyone can ask for any version. */
const readings = new Map<string, Reading | undefined>()
const MAX_READINGS = 20_000

function read(version: string): Reading | undefined {
  if (readings.has(version)) return readings.get(version)
  if (readings.size >= MAX_READINGS) readings.clear()
  const reading = parseVersion(version)
  readings.set(version, reading)
  return reading
}

/** Undefined for words, and for numbers that semver cannot hold. */
function parseVersion(version: string): Reading | undefined {
  const shape = SHAPE.exec(version.trim())
  if (!shape) return undefined
  const [, major, minor = '0', patch = '0', more = '', rest = ''] = shape
  const main = [major, minor, patch].map(Number).join('.')
  const isSemver = SEMVER.test(rest) || EARLY.test(rest)
  const semver =
    (isSemver ? parse(main + rest, { loose: true }) : null) ?? parse(main + wordsOf(rest))
  const suffix = !isSemver && /^[a-z]/i.test(rest) ? readWords(rest) : []
  return semver === null ? undefined : { semver, more: numbersIn(more), suffix }
}

/** The pre-release in the text after the numbers, as semver writes it: ` beta/2` is `-beta.2`. */
function wordsOf(rest: string): string {
  if (!rest.startsWith('-') && !EARLY.test(rest)) return ''
  const words = readWords(rest)
  return words.length === 0
    ? ''
    : `-${words.map((word) => word.replace(/^0+(?=\d)/, '')).join('.')}`
}

const readWords = (text: string): readonly string[] => text.match(/[a-z]+|\d+/gi) ?? []

/**
 * Compares alternating words and numbers: a missing part sorts first, and numbers sort before
 * words.
 */
function compareWords(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const [first = '', second = ''] = [a[index], b[index]].map((word) => word?.toLowerCase())
    const areNumbers = /^\d/.test(first) && /^\d/.test(second)
    const difference = areNumbers ? compareNumbers([first], [second]) : compareText(first, second)
    if (difference !== 0) return difference
  }
  return 0
}

/**
 * Compares build numbers: versionCode, or CFBundleVersion with its dots. Negative if the first is
 * lower.
 */
export const compareBuilds = (a: string, b: string): number =>
  compareNumbers(numbersIn(a), numbersIn(b))

const numbersIn = (text: string | null): readonly string[] => text?.match(/\d+/g) ?? []

/** Compares digits of any length; missing ones count as 0. */
function compareNumbers(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const first = (a[index] ?? '').replace(/^0+/, '')
    const second = (b[index] ?? '').replace(/^0+/, '')
    const difference = first.length - second.length || compareText(first, second)
    if (difference !== 0) return difference
  }
  return 0
}

/** Compares two texts by their UTF-16 code units, for example two times in ISO 8601. */
export const compareText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)
