import {
  asVirtualDisk,
  byCommand,
  inVirtualMachine,
  onMac,
  onWindows,
  toBoard,
  toDrive,
  toEspressif,
  type InstallNote,
  type WrittenFile,
} from './install-steps.ts'

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
  /** Undefined: opening the file is enough. */
  note?: InstallNote | ((file: WrittenFile) => InstallNote)
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
  apk: {
    kind: 'apk',
    group: 'android',
    label: 'Android app',
    note: {
      title: 'How to install on Android',
      steps: [
        'Open the downloaded file on your phone, from the notification or the Files app.',
        'The first time, Android asks whether your browser may install apps: ' +
          'allow it, then go back.',
        'Choose “Install”.',
      ],
    },
  },
  aab: { kind: 'aab', group: 'android', label: 'Android App Bundle' },
  xapk: { kind: 'xapk', group: 'android', label: 'Android app (XAPK)' },
  apks: { also: ['apkm'], kind: 'apks', group: 'android', label: 'Android app (APK set)' },
  ipa: {
    kind: 'ipa',
    group: 'ios',
    label: 'iOS app',
    idLabel: 'Bundle ID',
    note: {
      title: 'How to install on an iPhone or iPad',
      steps: [
        'An IPA installs only on devices that its publisher has registered, ' +
          'or that are in developer mode.',
        'Download it on a computer and install it with Apple Configurator, Xcode or Sideloadly.',
      ],
    },
  },
  zip: {
    kind: 'app',
    group: 'archive',
    platform: 'macOS',
    label: 'macOS app',
    idLabel: 'Bundle ID',
  },
  exe: { kind: 'exe', group: 'windows', label: 'Windows program', note: onWindows },
  msi: {
    kind: 'msi',
    group: 'windows',
    label: 'Windows installer',
    idLabel: 'Upgrade code',
    note: onWindows,
  },
  msix: {
    also: ['appx'],
    kind: 'msix',
    group: 'windows',
    label: 'Windows app package',
    note: onWindows,
  },
  msixbundle: {
    also: ['appxbundle'],
    kind: 'msix',
    group: 'windows',
    label: 'Windows app package',
    note: onWindows,
  },
  deb: {
    kind: 'deb',
    group: 'linux',
    label: 'Debian package',
    idLabel: 'Package name',
    note: byCommand('Debian or Ubuntu', 'sudo apt install'),
  },
  rpm: {
    kind: 'rpm',
    group: 'linux',
    label: 'RPM package',
    idLabel: 'Package name',
    note: byCommand('Fedora', 'sudo dnf install'),
  },
  appimage: {
    kind: 'appimage',
    group: 'linux',
    label: 'AppImage',
    note: {
      title: 'How to run on Linux',
      steps: [
        'Make the file executable: chmod +x, or Properties › Permissions.',
        'Start it with a double click.',
      ],
    },
  },
  pkg: {
    kind: 'pkg',
    group: 'macos',
    label: 'macOS installer',
    idLabel: 'Package ID',
    note: onMac,
  },
  jar: { kind: 'jar', group: 'archive', icon: 'java', label: 'Java program' },
  dmg: { kind: 'dmg', group: 'macos', label: 'macOS disk image', note: onMac },
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
  box: {
    kind: 'box',
    group: 'image',
    label: 'Vagrant box',
    note: inVirtualMachine(
      'In the download folder, with a name of your choice: vagrant box add NAME {file}',
      'In an empty folder: vagrant init NAME, then vagrant up.',
    ),
  },
  iso: {
    kind: 'iso',
    group: 'image',
    label: 'ISO image',
    note: toDrive('To try it in QEMU: qemu-system-x86_64 -m 2G -cdrom {file}'),
  },
  img: {
    also: ['img.xz', 'img.gz', 'img.zst'],
    kind: 'img',
    group: 'image',
    label: 'Disk image',
    note: toDrive(),
  },
  qcow2: {
    kind: 'qcow2',
    group: 'image',
    label: 'Virtual disk (qcow2)',
    note: asVirtualDisk('qcow2'),
  },
  vmdk: {
    kind: 'vmdk',
    group: 'image',
    label: 'Virtual disk (VMDK)',
    note: asVirtualDisk('vmdk'),
  },
  ova: {
    kind: 'ova',
    group: 'image',
    label: 'Virtual appliance',
    note: inVirtualMachine(
      'In VirtualBox: File › Import Appliance, and choose {name}. VMware opens it by File ' +
        '› Open.',
      'For QEMU and virt-manager: virt-v2v -i ova {file} -o local -os .',
    ),
  },
  bin: { kind: 'bin', group: 'firmware', label: 'Firmware', note: toEspressif },
  uf2: {
    kind: 'uf2',
    group: 'firmware',
    label: 'Firmware (UF2)',
    note: toBoard(
      'Hold its BOOTSEL button while you connect it by USB, or press its reset button twice. ' +
        'It appears as a drive.',
      'Drag {name} onto the drive. The board restarts by itself.',
    ),
  },
  hex: {
    kind: 'hex',
    group: 'firmware',
    label: 'Firmware (Intel HEX)',
    note: toBoard(
      'A board that appears as a drive, such as micro:bit: drag {name} onto it.',
      'With avrdude: avrdude -p PART -c PROGRAMMER -U flash:w:{file}:i',
      'With STM32CubeProgrammer or nRF Connect Programmer: open the file, then write it.',
    ),
  },
  dfu: {
    kind: 'dfu',
    group: 'firmware',
    label: 'Firmware (DFU)',
    idLabel: 'USB ID',
    note: toBoard(
      'Connect the board by USB in its DFU mode.',
      'In the download folder: dfu-util -D {file}',
    ),
  },
  'tar.gz': { also: ['tar.xz', 'tar.zst', 'tar.bz2'], kind: null, group: 'archive' },
  '7z': { kind: null, group: 'archive' },
} as const satisfies Readonly<Record<string, Row>>

type Formats = typeof formats
type Extension = keyof Formats

/** The extensions of the formats that have a reader. */
export type ReadExtension = {
  [E in Extension]: Formats[E]['kind'] extends null ? never : E
}[Extension]
/**
 * Kinds of read packages. `app`: a zip with a macOS app; `npm`: a tgz with a package.json;
 * `extension`: of a browser; `img`: a raw disk image, also a compressed one.
 */
export type PackageKind = Formats[ReadExtension]['kind']
/** The purpose of a file, by extension; `other`: it is no build. */
export type FileKind = Group | 'other'
/** Names of icons. */
export type FormatIcon = (typeof groups)[Group]['icon'] | NonNullable<FormatRow['icon']>

const rows = Object.entries<Row>(formats) as [Extension, Row][]
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

/** Finds the format of the longest extension that is one. */
function formatOf(filename: string) {
  const parts = filename.toLowerCase().split('.').slice(1).slice(-3)
  const names = parts.map((_, index) => parts.slice(index).join('.'))
  return names.map((name) => byExtension.get(name)).find((format) => format !== undefined)
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

/** Returns how to install or write a file; undefined: opening it is enough. */
export function installTemplate(file: WrittenFile): InstallNote | undefined {
  const note = formatOf(file.filename)?.note
  return typeof note === 'function' ? note(file) : note
}

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
