import type { IndexOf, RpmEntry, RpmRelation } from '../../../contract/files/package-index'
import { exactLine, toLine, toLines } from '../index-text.ts'
import { Unreadable } from '../look.ts'
import { isPrimaryPath } from '../primary-path.ts'
import type { HeaderPlace, RpmTags } from './rpm-header.ts'

/** Bytes of JSON for the paths and all else, below the limit of an index. */
const MOST_BYTES = 250_000

/** Tags (rpm.org, "RPM tags"). */
export const TAG = {
  name: 1000,
  version: 1001,
  release: 1002,
  epoch: 1003,
  summary: 1004,
  description: 1005,
  builtAt: 1006,
  buildHost: 1007,
  size: 1009,
  vendor: 1011,
  license: 1014,
  packager: 1015,
  group: 1016,
  url: 1020,
  architecture: 1022,
  modes: 1030,
  flags: 1037,
  sourceRpm: 1044,
  isSource: 1106,
  folderOfFile: 1116,
  basenames: 1117,
  folders: 1118,
  longSize: 5009,
} as const

/** The tags of names, flags and versions. */
const RELATIONS: Readonly<Record<RpmRelation, readonly [number, number, number]>> = {
  provides: [1047, 1112, 1113],
  requires: [1049, 1048, 1050],
  conflicts: [1054, 1053, 1055],
  obsoletes: [1090, 1114, 1115],
  recommends: [5046, 5048, 5047],
  suggests: [5049, 5051, 5050],
  supplements: [5052, 5054, 5053],
  enhances: [5055, 5057, 5056],
}

/** Bits of the flags of a relation (rpm, rpmds.h). */
const COMPARISONS: Readonly<Record<number, RpmEntry['flags']>> = {
  2: 'LT',
  4: 'GT',
  8: 'EQ',
  10: 'LE',
  12: 'GE',
}
const COMPARISON_BITS = 14
/** PREREQ, SCRIPT_PRE and SCRIPT_POST. */
const PRE_BITS = 0x640

const FORMAT = 0o170_000
const FOLDER = 0o040_000
const GHOST = 0x40

/**
 * Builds the index entry of a package for dnf and zypper. Throws Unreadable if they would reject
 * it.
 */
export function rpmIndex(tags: RpmTags, { start, end }: HeaderPlace): IndexOf<'rpm'> {
  const word = (tag: number) => {
    const value = tags.text(tag) ?? ''
    if (/^[\w.+~^-]{1,200}$/.test(value)) return value
    throw new Unreadable('This package has no name, version or architecture that dnf accepts.')
  }

  const line = (tag: number) => toLine(tags.text(tag))
  const paths = pathsIn(tags)
  const own = new Set(paths.map(({ path }) => path))

  const relations = Object.fromEntries(
    Object.entries(RELATIONS).map(([relation, place]) => [
      relation,
      readRelation(tags, place, own),
    ]),
  ) as Record<RpmRelation, RpmEntry[]>

  const index: IndexOf<'rpm'> = {
    kind: 'rpm',
    name: word(TAG.name),
    epoch: String(tags.number(TAG.epoch) ?? 0),
    version: word(TAG.version),
    release: word(TAG.release),
    architecture: tags.has(TAG.isSource) ? 'src' : word(TAG.architecture),
    summary: line(TAG.summary),
    description: toLines(tags.text(TAG.description)),
    license: line(TAG.license),
    url: line(TAG.url),
    vendor: line(TAG.vendor),
    packager: line(TAG.packager),
    group: line(TAG.group),
    sourceRpm: line(TAG.sourceRpm),
    buildHost: line(TAG.buildHost),
    builtAt: tags.number(TAG.builtAt) ?? 0,
    installedSize: tags.number(TAG.longSize) ?? tags.number(TAG.size) ?? 0,
    header: { start, end },
    relations,
    files: [],
    folders: [],
    ghosts: [],
    omittedPaths: 0,
  }

  return withPaths(index, paths)
}

/** The entries of a relation, each once, without rpm's own features and own files. */
function readRelation(
  tags: RpmTags,
  [names, flags, versions]: readonly [number, number, number],
  ownPaths: ReadonlySet<string>,
): RpmEntry[] {
  const allFlags = tags.numbers(flags)
  const allVersions = tags.texts(versions)
  const isRequired = names === RELATIONS.requires[0]
  const entries = new Map<string, RpmEntry>()

  for (const [index, name] of tags.texts(names).entries()) {
    if (isRequired && (name.startsWith('rpmlib(') || ownPaths.has(name))) continue

    const bits = allFlags[index] ?? 0
    const comparison = COMPARISONS[bits & COMPARISON_BITS]
    const version = allVersions[index] ?? ''

    const entry: RpmEntry = { name: exactLine(name) }
    if (comparison && version !== '')
      Object.assign(entry, { flags: comparison, ...evrOf(exactLine(version)) })

    const key = JSON.stringify(entry)
    const isPre = isRequired && (bits & PRE_BITS) !== 0
    if (isPre || !entries.has(key)) entries.set(key, isPre ? { ...entry, pre: true } : entry)
  }
  return [...entries.values()]
}

/** `[epoch:]version[-release]`. */
function evrOf(text: string): Pick<RpmEntry, 'epoch' | 'version' | 'release'> {
  const [, epoch = '0', version = '', release] = /^(?:(\d+):)?([^-]*)(?:-(.*))?$/.exec(text) ?? []
  return release === undefined ? { epoch, version } : { epoch, version, release }
}

interface PathInPackage {
  path: string
  kind: 'files' | 'folders' | 'ghosts'
}

function pathsIn(tags: RpmTags): PathInPackage[] {
  const folders = tags.texts(TAG.folders)
  const folderOf = tags.numbers(TAG.folderOfFile)
  const modes = tags.numbers(TAG.modes)
  const flags = tags.numbers(TAG.flags)
  return tags.texts(TAG.basenames).map((name, index) => {
    const isGhost = ((flags[index] ?? 0) & GHOST) !== 0
    const isFolder = ((modes[index] ?? 0) & FORMAT) === FOLDER
    const path = `${folders[folderOf[index] ?? -1] ?? ''}${name}`
    return { path, kind: isGhost ? 'ghosts' : isFolder ? 'folders' : 'files' }
  })
}

/** Adds as many paths as fit, those that other packages may require first. */
function withPaths(index: IndexOf<'rpm'>, paths: readonly PathInPackage[]): IndexOf<'rpm'> {
  let left = MOST_BYTES - Buffer.byteLength(JSON.stringify(index))
  const ordered = [true, false].flatMap((isFirst) =>
    paths.filter(({ path }) => isPrimaryPath(path) === isFirst),
  )

  for (const { path, kind } of ordered) {
    left -= Buffer.byteLength(JSON.stringify(path)) + 1
    // A path that was changed would be another file.
    if (left < 0 || path !== toLine(path)) index.omittedPaths++
    else index[kind].push(path)
  }
  return index
}
