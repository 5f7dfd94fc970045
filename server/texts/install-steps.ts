import { macMayRefuse, windowsMayProtect } from './platform-checks'

/** Instructions for installing or writing a file. */
export interface InstallNote {
  title: string
  /** `{file}` is the path, quoted for a terminal, and `{name}` the filename. */
  steps: readonly string[]
  /** The step for what the system may ask, where no checks of the package say it. */
  doubt?: string
}

/** A file, with the facts that its page has. */
export interface WrittenFile {
  filename: string
  facts?: { architectures: readonly string[] } | null
  /** Flash address of its first byte. Undefined if the page has none. */
  address?: number | undefined
  /** Whether the page lists the checks of the platform by the facts of the package. */
  isChecked?: boolean
}

export const onWindows: InstallNote = {
  title: 'How to install on Windows',
  steps: ['Open the downloaded file.'],
  doubt: windowsMayProtect,
}

export const onMac: InstallNote = {
  title: 'How to install on a Mac',
  steps: ['Open the downloaded file and drag the app to Applications, or follow the installer.'],
  doubt: macMayRefuse,
}

/** Instructions for a package that a command installs, run in the download folder. */
export const byCommand = (system: string, command: string): InstallNote => ({
  title: `How to install on ${system}`,
  steps: [`In the download folder: ${command} {file}`],
})

const DISK = '/dev/sdX'
/** The programs that unpack to standard output. */
const UNPACK: Readonly<Record<string, string>> = { xz: 'xz', gz: 'gzip', zst: 'zstd' }

/** `steps`: what else can be done with the image. */
export const toDrive =
  (...steps: string[]) =>
  ({ filename }: WrittenFile): InstallNote => {
    const unpack = UNPACK[/[^.]*$/.exec(filename.toLowerCase())?.[0] ?? '']
    const source = unpack === undefined ? 'sudo dd if={file}' : `${unpack} -dc {file} | sudo dd`
    return {
      title: 'How to write to a drive or card',
      steps: [
        'Open Raspberry Pi Imager (“Use custom”) or balenaEtcher, and choose {name}' +
          `${unpack ? ' (no need to unpack it)' : ''}, then the drive. Everything on the drive ` +
          'is erased.',
        `Or on Linux, with the name of the drive for ${DISK}: ` +
          `${source} of=${DISK} bs=4M conv=fsync status=progress`,
        ...steps,
      ],
    }
  }

export const inVirtualMachine = (...steps: string[]): InstallNote => ({
  title: 'How to run in a virtual machine',
  steps,
})

export const asVirtualDisk = (format: string): InstallNote =>
  inVirtualMachine(
    `With QEMU: qemu-system-x86_64 -m 2G -drive file={file},format=${format}`,
    'In virt-manager: File › New Virtual Machine › Import existing disk image, and choose ' +
      '{name}.',
    'In UTM: Create a New Virtual Machine › Other, then import it as its drive.',
  )

export const toBoard = (...steps: string[]): InstallNote => ({
  title: 'How to flash a board',
  steps,
})

/** An image for ESP-IDF has facts; other `.bin` files have none. */
export function toEspressif({ facts, address }: WrittenFile): InstallNote {
  if (!facts)
    return toBoard(
      'Flash it with the tool of the board’s maker, at the address that the publisher specifies.',
    )

  const [chip = ''] = facts.architectures
  const connect = `Connect the board with its ${chip} by USB.`
  if (address === undefined)
    return toBoard(connect, 'Write it with esptool: the installation help has the line.')

  const at = `0x${address.toString(16)}`
  const name = chip.toLowerCase().replace('-', '')
  return toBoard(
    connect,
    `In the download folder, with esptool: esptool --chip ${name} write_flash ${at} {file}`,
    ...(address === 0
      ? ['Or without it, in Chrome or Edge: web.esphome.io › Connect › Install.']
      : []),
  )
}
