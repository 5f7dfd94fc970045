/** The purposes of builds: where they run, and their icon. */
const groups = {
  android: { platform: 'Android', icon: 'android' },
  ios: { platform: 'iOS', icon: 'apple' },
  windows: { platform: 'Windows', icon: 'windows' },
  macos: { platform: 'macOS', icon: 'apple' },
  linux: { platform: 'Linux', icon: 'linux' },
  image: { platform: 'Image', icon: 'disc' },
  firmware: { platform: 'Firmware', icon: 'chip' },
  /** Runs on any system, or on one that only the publisher knows. */
  archive: { platform: undefined, icon: 'archive' },
} as const
type Group = keyof typeof groups

interface FormatRow {
  group: Group
  /** Equivalent extensions. */
  also?: readonly string[]
  icon?: 'java'
  /** The package inside, which a reader describes; null: Slipway does not read this format. */
  kind: string | null
}
interface ReadRow extends FormatRow {
  kind: string
  /** The name of the package, for people. */
  label: string
  /** Label of its identifier (default: application ID). */
  idLabel?: string
  /** Platform of the package, if the file does not name it. */
  platform?: 'macOS'
}

type Row = ReadRow | (FormatRow & { kind: null })

/**
 * Every format of a build, by extension. The types ask for a reader (`package-reader/readers.ts`)
 * where `kind` is not null. Rows of one kind have the same label.
 */
const formats = {
  apk: { kind: 'apk', group: 'android', label: 'Android app' },
  aab: { kind: 'aab', group: 'android', label: 'Android App Bundle' },
  xapk: { kind: 'xapk', group: 'android', label: 'Android app (XAPK)' },
  apks: { also: ['apkm'], kind: 'apks', group: 'android', label: 'Android app (APK set)' },
  ipa: {
    kind: 'ipa',
    group: 'ios',
    label: 'iOS app',
    idLabel: 'Bundle ID',
  },
  zip: {
    kind: 'app',
    group: 'archive',
    platform: 'macOS',
    label: 'macOS app',
    idLabel: 'Bundle ID',
  },
  exe: { kind: 'exe', group: 'windows', label: 'Windows program' },
  msi: {
    kind: 'msi',
    group: 'windows',
    label: 'Windows installer',
    idLabel: 'Upgrade code',
  },
  msix: {
    also: ['appx'],
    kind: 'msix',
    group: 'windows',
    label: 'Windows app package',
  },
  msixbundle: {
    also: ['appxbundle'],
    kind: 'msix',
    group: 'windows',
    label: 'Windows app package',
  },
  deb: {
    kind: 'deb',
    group: 'linux',
    label: 'Debian package',
    idLabel: 'Package name',
  },
  rpm: {
    kind: 'rpm',
    group: 'linux',
    label: 'RPM package',
    idLabel: 'Package name',
  },
  appimage: { kind: 'appimage', group: 'linux', label: 'AppImage' },
  pkg: {
    kind: 'pkg',
    group: 'macos',
    label: 'macOS installer',
    idLabel: 'Package ID',
  },
  jar: { kind: 'jar', group: 'archive', icon: 'java', label: 'Java program' },
  dmg: { kind: 'dmg', group: 'macos', label: 'macOS disk image' },
  pacman: {
    also: ['pkg.tar.zst', 'pkg.tar.xz', 'pkg.tar.gz'],
    kind: 'pacman',
    group: 'linux',
    label: 'Arch Linux package',
    idLabel: 'Package name',
  },
  snap: { kind: null, group: 'linux' },
  flatpak: { kind: null, group: 'linux' },
  whl: { kind: 'whl', group: 'archive', label: 'Python package', idLabel: 'Package name' },
  tgz: { kind: 'npm', group: 'archive', label: 'npm package', idLabel: 'Package name' },
  // A browser runs it on any system, so it has no platform.
  xpi: { also: ['crx'], kind: 'extension', group: 'archive', label: 'Browser extension' },
  // The disk of a virtual machine: of no system that runs it.
  box: { kind: 'box', group: 'image', label: 'Vagrant box' },
  iso: { kind: 'iso', group: 'image', label: 'ISO image' },
  img: {
    also: ['img.xz', 'img.gz', 'img.zst'],
    kind: 'img',
    group: 'image',
    label: 'Disk image',
  },
  qcow2: { kind: 'qcow2', group: 'image', label: 'Virtual disk (qcow2)' },
  vmdk: { kind: 'vmdk', group: 'image', label: 'Virtual disk (VMDK)' },
  ova: { kind: 'ova', group: 'image', label: 'Virtual appliance' },
  bin: { kind: 'bin', group: 'firmware', label: 'Firmware' },
  uf2: { kind: 'uf2', group: 'firmware', label: 'Firmware (UF2)' },
  hex: { kind: 'hex', group: 'firmware', label: 'Firmware (Intel HEX)' },
  dfu: {
    kind: 'dfu',
    group: 'firmware',
    label: 'Firmware (DFU)',
    idLabel: 'USB ID',
  },
  'tar.gz': { also: ['tar.xz', 'tar.zst', 'tar.bz2'], kind: null, group: 'archive' },
  '7z': { kind: null, group: 'archive' },
} as const satisfies Readonly<Record<string, Row>>

type Formats = typeof formats
/** The extensions of builds, without those that mean the same. */
export type FormatExtension = keyof Formats

/** The extensions of the formats that have a reader. */
export type ReadExtension = {
  [E in FormatExtension]: Formats[E]['kind'] extends null ? never : E
}[FormatExtension]
/**
 * Kinds of read packages. `app`: a zip with a macOS app; `npm`: a tgz with a package.json;
 * `extension`: of a browser; `img`: a raw disk image, also a compressed one.
 */
export type PackageKind = Formats[ReadExtension]['kind']
/** The purpose of a file, by extension; `other`: it is no build. */
export type FileKind = Group | 'other'
/** Names of icons. */
export type FormatIcon = (typeof groups)[Group]['icon'] | NonNullable<FormatRow['icon']>

const rows = Object.entries<Row>(formats) as [FormatExtension, Row][]
const byExtension = new Map(
  rows.flatMap(([extension, row]) =>
    [extension, ...(row.also ?? [])].map((name) => [name, { extension, ...row }] as const),
  ),
)
const byKind = Object.fromEntries(
  rows.flatMap(([, row]) => (row.kind === null ? [] : [[row.kind, row]])),
) as Record<PackageKind, ReadRow>

export const packageKinds = Object.keys(byKind) as PackageKind[]
export const fileKinds = [...(Object.keys(groups) as Group[]), 'other'] as const

/** Such as `user.js` or `tar.gz`. */
const MOST_PARTS = 3

/**
 * Finds the format of the longest extension that is one. Without lists: a start asks it of every
 * file.
 */
function formatOf(filename: string) {
  const name = filename.toLowerCase()
  let format: ReturnType<typeof byExtension.get>

  let dot = name.length
  for (let parts = 0; parts < MOST_PARTS && dot > 0; parts++) {
    dot = name.lastIndexOf('.', dot - 1)
    if (dot >= 0) format = byExtension.get(name.slice(dot + 1)) ?? format
  }

  return format
}

/** Every kind but `other` is an application package: a build. */
export const fileKind = (filename: string): FileKind => formatOf(filename)?.group ?? 'other'

/** Returns the extension whose reader reads a file; undefined: its content is not read. */
export function readExtension(filename: string): ReadExtension | undefined {
  const format = formatOf(filename)
  return format?.kind == null ? undefined : (format.extension as ReadExtension)
}

/** Undefined: not the file of a build. */
export function formatIcon(filename: string): FormatIcon | undefined {
  const format = formatOf(filename)
  return format && (format.icon ?? groups[format.group].icon)
}

/** Returns the extension by which a file has a format; undefined: it is no build. */
export const formatExtension = (filename: string): FormatExtension | undefined =>
  formatOf(filename)?.extension

/** Returns the platform that a filename implies; undefined: any, or unknown. */
export function platformOfFilename(filename: string) {
  const format = formatOf(filename)
  return format && groups[format.group].platform
}

/** Describes a package for people. `platform` is undefined for any, or an unknown one. */
export function describeKind(kind: PackageKind) {
  const { label, idLabel = 'Application ID', group, platform } = byKind[kind]
  return { label, idLabel, platform: platform ?? groups[group].platform }
}
