import type { PackageKind } from '../contract/files/facts'
import type { Platform } from '../contract/files/platforms'
import { extensionOf } from './filename'
import { posixQuoted } from './verify-commands'

export interface InstallNote {
  title: string
  steps: readonly string[]
}

const windows: InstallNote = {
  title: 'How to install on Windows',
  steps: [
    'Open the downloaded file.',
    'If Windows says that it protected your PC, choose “More info”, compare the name, and choose “Run anyway”.',
  ],
}
const mac: InstallNote = {
  title: 'How to install on a Mac',
  steps: [
    'Open the downloaded file and drag the app to Applications, or follow the installer.',
    'If macOS will not open the app, go to System Settings › Privacy & Security and choose “Open Anyway”.',
  ],
}

/** Only for packages that are hard to install without a hint. */
const notes: Record<string, InstallNote> = {
  apk: {
    title: 'How to install on Android',
    steps: [
      'Open the downloaded file on your phone, from the notification or the Files app.',
      'The first time, Android asks whether your browser may install apps: allow it, then go back.',
      'Choose “Install”.',
    ],
  },
  ipa: {
    title: 'How to install on an iPhone or iPad',
    steps: [
      'An IPA installs only on devices that its publisher has registered, or that are in developer mode.',
      'Download it on a computer and install it with Apple Configurator, Xcode or Sideloadly.',
    ],
  },
  exe: windows,
  msi: windows,
  msix: windows,
  msixbundle: windows,
  appx: windows,
  appxbundle: windows,
  dmg: mac,
  pkg: mac,
  appimage: {
    title: 'How to run on Linux',
    steps: [
      'Make the file executable: chmod +x, or Properties › Permissions.',
      'Start it with a double click.',
    ],
  },
}

/** For packages that a command installs, from the download folder. */
const commands: Record<string, readonly [system: string, command: string]> = {
  deb: ['Debian or Ubuntu', 'sudo apt install'],
  rpm: ['Fedora', 'sudo dnf install'],
}

/** Undefined: opening the file is enough. */
export function installNote(file: WrittenFile): InstallNote | undefined {
  const { filename } = file
  const extension = extensionOf(filename)
  const [system, command] = commands[extension] ?? []
  if (system === undefined) return notes[extension] ?? writingNote(file)
  const steps = [`In the download folder: ${command} ${posixQuoted(`./${filename}`)}`]
  return { title: `How to install on ${system}`, steps }
}

/** A disk image or firmware, and what its page knows of it. */
export interface WrittenFile {
  filename: string
  facts?: { kind: PackageKind; architectures: readonly string[] } | null
  /** Where its first byte goes; undefined: the page does not know. */
  address?: number | undefined
}

const DISK = '/dev/sdX'
const VIRTUAL = 'How to run in a virtual machine'
const BOARD = 'How to write to a board'
/** The programs that unpack to standard output. */
const UNPACK: Readonly<Record<string, string>> = {
  'img.xz': 'xz',
  'img.gz': 'gzip',
  'img.zst': 'zstd',
}

/** `file`: quotes its path for a terminal. */
type Writer = (file: () => string, it: WrittenFile) => InstallNote

const drive = (
  file: () => string,
  { filename }: WrittenFile,
  steps: readonly string[] = [],
): InstallNote => {
  const unpack = UNPACK[extensionOf(filename)]
  const source = unpack === undefined ? `sudo dd if=${file()}` : `${unpack} -dc ${file()} | sudo dd`

  return {
    title: 'How to write to a drive or card',
    steps: [
      `Open Raspberry Pi Imager (“Use custom”) or balenaEtcher, and choose ${filename}${unpack ? ', packed as it is' : ''}, then the drive. Everything on the drive is erased.`,
      `Or on Linux, with the name of the drive for ${DISK}: ${source} of=${DISK} bs=4M conv=fsync status=progress`,
      ...steps,
    ],
  }
}

const virtualDisk =
  (format: string): Writer =>
  (file, { filename }) => ({
    title: VIRTUAL,
    steps: [
      `With QEMU: qemu-system-x86_64 -m 2G -drive file=${file()},format=${format}`,
      `In virt-manager: File › New Virtual Machine › Import existing disk image, and choose ${filename}.`,
      'In UTM: Create a New Virtual Machine › Other, then import it as its drive.',
    ],
  })

/** What to write each of them with, by extension. */
const writers: Readonly<Record<string, Writer>> = {
  iso: (file, it) =>
    drive(file, it, [`To try it in QEMU: qemu-system-x86_64 -m 2G -cdrom ${file()}`]),
  img: drive,
  'img.xz': drive,
  'img.gz': drive,
  'img.zst': drive,
  qcow2: virtualDisk('qcow2'),
  vmdk: virtualDisk('vmdk'),
  ova: (file, { filename }) => ({
    title: VIRTUAL,
    steps: [
      `In VirtualBox: File › Import Appliance, and choose ${filename}. VMware opens it by File › Open.`,
      `For QEMU and virt-manager: virt-v2v -i ova ${file()} -o local -os .`,
    ],
  }),
  bin: (file, it) => (it.facts ? espressif(file, it) : { title: BOARD, steps: [OTHER_BOARD] }),
  uf2: (_, { filename }) => ({
    title: BOARD,
    steps: [
      'Hold its BOOTSEL button while you connect it by USB, or press its reset button twice. It appears as a drive.',
      `Drag ${filename} onto the drive. The board restarts by itself.`,
    ],
  }),
  hex: (file, { filename }) => ({
    title: BOARD,
    steps: [
      `A board that appears as a drive, such as micro:bit: drag ${filename} onto it.`,
      `With avrdude: avrdude -p PART -c PROGRAMMER -U flash:w:${file()}:i`,
      'With STM32CubeProgrammer or nRF Connect Programmer: open the file, then write it.',
    ],
  }),
  dfu: (file) => ({
    title: BOARD,
    steps: [
      'Connect the board by USB in its DFU mode.',
      `In the download folder: dfu-util -D ${file()}`,
    ],
  }),
}

const OTHER_BOARD =
  'Write it with the program of the maker of the board, at the address that its publisher names.'

function espressif(file: () => string, { facts, address }: WrittenFile): InstallNote {
  const [chip = ''] = facts?.architectures ?? []
  const connect = `Connect the board with its ${chip} by USB.`

  if (address === undefined)
    return {
      title: BOARD,
      steps: [connect, 'Write it with esptool: the installation help has the line.'],
    }

  const at = `0x${address.toString(16)}`
  const name = chip.toLowerCase().replace('-', '')
  return {
    title: BOARD,
    steps: [
      connect,
      `In the download folder, with esptool: esptool --chip ${name} write_flash ${at} ${file()}`,
      ...(address === 0
        ? ['Or without it, in Chrome or Edge: web.esphome.io › Connect › Install.']
        : []),
    ],
  }
}

/** What to write a disk image or firmware with; undefined for other files. */
function writingNote(file: WrittenFile): InstallNote | undefined {
  const extension = extensionOf(file.filename)
  const writer = Object.hasOwn(writers, extension) ? writers[extension] : undefined
  return writer?.(() => posixQuoted(`./${file.filename}`), file)
}

/** The button that downloads a file. Undefined: for any platform. */
export function downloadWords(platform: Platform | undefined): string {
  if (platform === 'Image' || platform === 'Firmware')
    return `Download the ${platform.toLowerCase()}`
  return platform === undefined ? 'Download' : `Download for ${platform}`
}
