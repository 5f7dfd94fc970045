import { formatExtension, type FormatExtension } from '../contract/files/formats'
import type { Platform } from '../contract/files/platforms'
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
} from './install-steps'
import { posixQuoted } from '../contract/shell-quote'

/** How to install or write a file of a format. Without a note, opening the file is enough. */
const notes: Readonly<
  Partial<Record<FormatExtension, InstallNote | ((file: WrittenFile) => InstallNote)>>
> = {
  apk: {
    title: 'How to install on Android',
    steps: [
      'Open the downloaded file on your phone, from the notification or the Files app.',
      'The first time, Android asks whether your browser may install apps: ' +
        'allow it, then go back.',
      'Choose “Install”.',
    ],
  },
  ipa: {
    title: 'How to install on an iPhone or iPad',
    steps: [
      'An IPA installs only on devices that its publisher has registered, ' +
        'or that are in developer mode.',
      'Download it on a computer and install it with Apple Configurator, Xcode or Sideloadly.',
    ],
  },
  exe: onWindows,
  msi: onWindows,
  msix: onWindows,
  msixbundle: onWindows,
  deb: byCommand('Debian or Ubuntu', 'sudo apt install'),
  rpm: byCommand('Fedora', 'sudo dnf install'),
  appimage: {
    title: 'How to run on Linux',
    steps: [
      'Make the file executable: chmod +x, or Properties › Permissions.',
      'Start it with a double click.',
    ],
  },
  pkg: onMac,
  dmg: onMac,
  box: inVirtualMachine(
    'In the download folder, with a name of your choice: vagrant box add NAME {file}',
    'In an empty folder: vagrant init NAME, then vagrant up.',
  ),
  iso: toDrive('To try it in QEMU: qemu-system-x86_64 -m 2G -cdrom {file}'),
  img: toDrive(),
  qcow2: asVirtualDisk('qcow2'),
  vmdk: asVirtualDisk('vmdk'),
  ova: inVirtualMachine(
    'In VirtualBox: File › Import Appliance, and choose {name}. VMware opens it by File ' +
      '› Open.',
    'For QEMU and virt-manager: virt-v2v -i ova {file} -o local -os .',
  ),
  bin: toEspressif,
  uf2: toBoard(
    'Hold its BOOTSEL button while you connect it by USB, or press its reset button twice. ' +
      'It appears as a drive.',
    'Drag {name} onto the drive. The board restarts by itself.',
  ),
  hex: toBoard(
    'A board that appears as a drive, such as micro:bit: drag {name} onto it.',
    'With avrdude: avrdude -p PART -c PROGRAMMER -U flash:w:{file}:i',
    'With STM32CubeProgrammer or nRF Connect Programmer: open the file, then write it.',
  ),
  dfu: toBoard(
    'Connect the board by USB in its DFU mode.',
    'In the download folder: dfu-util -D {file}',
  ),
}

/** Undefined: opening the file is enough. */
export function installNote(file: WrittenFile): InstallNote | undefined {
  const { filename } = file
  const extension = formatExtension(filename)
  const entry = extension && notes[extension]
  const note = typeof entry === 'function' ? entry(file) : entry
  const fill = (step: string) =>
    step.replace(/\{(file|name)\}/g, (_, field) =>
      field === 'name' ? filename : posixQuoted(`./${filename}`),
    )
  if (!note) return undefined

  const doubt = note.doubt === undefined || file.isChecked ? [] : [note.doubt]
  return { title: note.title, steps: [...note.steps, ...doubt].map(fill) }
}

/** The button that downloads a file. Undefined: for any platform. */
export function downloadWords(platform: Platform | undefined): string {
  if (platform === 'Image' || platform === 'Firmware')
    return `Download the ${platform.toLowerCase()}`
  return platform === undefined ? 'Download' : `Download for ${platform}`
}
