import { z } from 'zod'
import { LINE_ENDS } from '../unseen'

/** The packages that repositories of other programs list: of these more is read than facts. */
const indexKinds = ['deb', 'rpm', 'apk', 'pacman', 'whl', 'npm', 'bin'] as const

/** The largest index of a package, in bytes of JSON. */
export const INDEX_BYTES = 256 * 1024

/** Nothing in it ends a line or field of a feed, and XML can write all of it. */
const line = z
  .string()
  .max(10_000)
  .regex(new RegExp(`^[^${LINE_ENDS}]*$`, 'u'))
const word = line.regex(/^\S+$/)
/** Like a line, with `\n` and tabs. */
const SAFE_LINES = new RegExp(`^(?:[\\n\\t]|[^${LINE_ENDS}])*$`, 'u')
const lines = z.string().max(10_000).regex(SAFE_LINES)
const count = z.int().nonnegative()

/** A field of a control file with its lines, each of them complete (deb-control(5)). */
const CONTROL = /^(?:[A-Za-z][\w-]*:[^\n]*\n(?:[ \t]+[^\s][^\n]*\n)*)+$/

const debian = z.object({
  kind: z.literal('deb'),
  /** Package name (Debian Policy §5.6). */
  package: z.string().regex(/^[a-z0-9][a-z0-9+.-]+$/),
  version: z.string().regex(/^[0-9][A-Za-z0-9.+~:-]*$/),
  architecture: z.string().regex(/^[a-z0-9][a-z0-9-]*$/),
  /**
   * The fields of the control file in order, each once and with a final `\n`, for `Packages`.
   * Excludes those that the repository adds: `Filename`, `Size` and digests.
   */
  control: z.string().regex(CONTROL).regex(SAFE_LINES),
})

/** A dependency or capability of an RPM package, as `rpm:entry` of rpm-md. */
const rpmEntry = z.object({
  name: line.min(1),
  /** Undefined: any version, and the next three are undefined too. */
  flags: z.enum(['LT', 'GT', 'EQ', 'LE', 'GE']).optional(),
  epoch: z.string().regex(/^\d+$/).optional(),
  version: line.optional(),
  release: line.optional(),
  /** Needed before the package is installed. */
  pre: z.literal(true).optional(),
})
export type RpmEntry = z.infer<typeof rpmEntry>

/** Lists of entries in the order of `primary.xml`. */
export const rpmRelations = [
  'provides',
  'requires',
  'conflicts',
  'obsoletes',
  'suggests',
  'enhances',
  'recommends',
  'supplements',
] as const
export type RpmRelation = (typeof rpmRelations)[number]

const rpm = z.object({
  kind: z.literal('rpm'),
  name: word,
  epoch: z.string().regex(/^\d+$/),
  version: word,
  release: word,
  /** Architecture as rpm spells it; `src` for source packages. */
  architecture: word,
  summary: line,
  description: lines,
  license: line,
  url: line,
  vendor: line,
  packager: line,
  group: line,
  sourceRpm: line,
  buildHost: line,
  /** Seconds since 1970. */
  builtAt: count,
  /** Bytes of the files when they are installed. */
  installedSize: count,
  /** Byte range of the header in the package: start inclusive, end exclusive. */
  header: z.object({ start: count, end: count }),
  /** Without `rpmlib(…)`, doubles and own files. */
  relations: z.record(z.enum(rpmRelations), z.array(rpmEntry)),
  /** Paths. Those that other packages may require come first (`isPrimaryPath`). */
  files: z.array(line),
  folders: z.array(line),
  ghosts: z.array(line),
  /** Number of paths left out to limit the size of the index. */
  omittedPaths: count,
})

const apk = z.object({
  kind: z.literal('apk'),
  appId: word,
  /** A decimal number of up to 64 bits. */
  versionCode: z.string().regex(/^\d{1,19}$/),
  versionName: line.nullable(),
  label: line.nullable(),
  /** API levels. */
  minSdk: count.nullable(),
  targetSdk: count.nullable(),
  maxSdk: count.nullable(),
  /** Android ABI names of its native libraries. Empty if it runs on any. */
  nativecode: z.array(word),
  /** Full names. `from23`: only on Android 6 or later. */
  permissions: z.array(
    z.object({ name: word, maxSdk: count.nullable(), from23: z.literal(true).optional() }),
  ),
  /** Required features. */
  features: z.array(word),
  /**
   * Digests of the signing certificate: SHA-256, and the MD5 of its hexadecimal text, which index
   * v1 of F-Droid calls `sig`.
   */
  signer: z
    .object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), sig: z.string().regex(/^[0-9a-f]{32}$/) })
    .nullable(),
})

const pacman = z.object({
  kind: z.literal('pacman'),
  name: word,
  /** `[epoch:]version-release`. */
  version: word,
  architecture: word,
  /** The fields of `.PKGINFO`: `name = value` and `\n` each; some names come several times. */
  info: z
    .string()
    .regex(/^(?:[a-z][a-z0-9]* = [^\n]*\n)+$/)
    .regex(SAFE_LINES),
})

const wheel = z.object({
  kind: z.literal('whl'),
  /** Name as the package spells it. pip compares in lower case, with `-` for `_` and `.`. */
  name: word,
  version: word,
  requiresPython: line.nullable(),
  /**
   * The fields of METADATA, each with a final `\n`. Excludes the description, and all but the first
   * line of `License`.
   */
  metadata: z
    .string()
    .regex(/^(?:(?:[A-Za-z][A-Za-z-]*:|[ \t]+[^\s])[^\n]*\n)+$/)
    .regex(SAFE_LINES),
})

const npm = z.object({
  kind: z.literal('npm'),
  name: word,
  version: word,
  hasInstallScript: z.boolean(),
  /**
   * Digests of the whole file, as `dist` of a registry has them: base64, and hexadecimal for old
   * clients.
   */
  sha512: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
  sha1: z.string().regex(/^[0-9a-f]{40}$/),
  /**
   * Other fields of package.json that a registry repeats. Parsed JSON; texts may contain anything.
   */
  manifest: z.record(z.string(), z.unknown()),
})

/** Firmware for chips of Espressif. */
const espImage = z.object({
  kind: z.literal('bin'),
  /** Chip name as ESP Web Tools spells it. */
  chip: word,
  /** `app`: one program. `whole`: a copy of the flash from address 0. */
  role: z.enum(['app', 'whole']),
  md5: z.string().regex(/^[0-9a-f]{32}$/),
})

/**
 * The index entry of a package for repositories, beyond its facts. Stored in a sidecar of the blob.
 */
export const packageIndexSchema = z.discriminatedUnion('kind', [
  debian,
  rpm,
  apk,
  pacman,
  wheel,
  npm,
  espImage,
])
export type PackageIndex = z.infer<typeof packageIndexSchema>
export type IndexKind = PackageIndex['kind']
/** The index of one kind of package. */
export type IndexOf<Kind extends IndexKind> = Extract<PackageIndex, { kind: Kind }>

/** Whether such a package has an index. */
export const isIndexed = (kind: string | undefined): boolean => indexKinds.some((it) => it === kind)
