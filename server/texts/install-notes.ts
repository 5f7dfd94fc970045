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
    steps: ['Make the file executable: chmod +x, or Properties › Permissions.', 'Start it with a double click.'],
  },
}

/** For packages that a command installs, from the download folder. */
const commands: Record<string, readonly [system: string, command: string]> = {
  deb: ['Debian or Ubuntu', 'sudo apt install'],
  rpm: ['Fedora', 'sudo dnf install'],
}

export function installNote({ filename }: { filename: string }): InstallNote | undefined {
  const extension = extensionOf(filename)
  const [system, command] = commands[extension] ?? []
  if (system === undefined) return notes[extension]
  const steps = [`In the download folder: ${command} ${posixQuoted(`./${filename}`)}`]
  return { title: `How to install on ${system}`, steps }
}
