import type { UpdateClient } from '../../contract/update-clients/update-clients'
import type { FileRecord } from '../../data/records/file-records'
import { clientChecks } from '../../texts/platform-checks'
import type { UpdateSource } from './repository'

type Take = UpdateSource['takes']

const isOfKind =
  (kind: string): Take =>
  ({ facts }) =>
    facts?.kind === kind

/** Takes packages of a kind that a repository can list. */
const isListed =
  (kind: string): Take =>
  ({ facts, hasIndex }) =>
    facts?.kind === kind && hasIndex === true

const isNamed =
  (name: RegExp): Take =>
  ({ filename }) =>
    name.test(filename)

const isExtension =
  (name: RegExp): Take =>
  ({ filename, facts }) =>
    facts?.kind === 'extension' && facts.appId !== undefined && name.test(filename)

const isMacApp: Take = ({ filename, facts }) => facts?.kind === 'app' || /\.dmg$/i.test(filename)
const isApk = isNamed(/\.apk$/i)
const isWindowsProgram = isNamed(/\.(exe|msi)$/i)
/** A zip with an app for macOS may be called anything. */
const isWindowsZip: Take = ({ filename, facts }) =>
  facts?.kind !== 'app' && /(?<![a-z])win(dows|32|64)?(?![a-z]).*\.zip$/i.test(filename)

const asksAndroid = () => clientChecks.android()

const asksWindows = ({ facts }: FileRecord) =>
  facts?.isSigned === false ? clientChecks.windows() : undefined

const asksHomebrew = ({ facts }: FileRecord) =>
  facts?.isStapled === false ? clientChecks.homebrew() : undefined

/** The source of each client. It loads with its first request: most hosts serve one or two. */
export const updateSources = {
  apt: {
    takes: isListed('deb'),
    names: 'packages',
    isLasting: true,
    key: 'openpgp',
    load: async () => (await import('./apt/repository')).apt,
  },
  rpm: {
    takes: isListed('rpm'),
    names: 'packages',
    isLasting: true,
    key: 'openpgp',
    load: async () => (await import('./rpm/repository')).rpm,
  },
  pacman: {
    takes: isListed('pacman'),
    names: 'packages',
    isLasting: true,
    key: 'openpgp',
    load: async () => (await import('./pacman/repository')).pacman,
  },
  fdroid: {
    takes: isListed('apk'),
    names: 'packages',
    key: 'jar',
    asks: asksAndroid,
    load: async () => (await import('./fdroid/repository')).fdroid,
  },
  obtainium: { takes: (file) => !file.isPart && isApk(file), asks: asksAndroid },
  altstore: {
    takes: isOfKind('ipa'),
    load: async () => (await import('./updaters/altstore')).altstore,
  },
  winget: {
    takes: isNamed(/\.(exe|msi|(msix|appx)(bundle)?)$/i),
    asks: asksWindows,
    load: async () => (await import('./updaters/winget')).winget,
  },
  scoop: {
    takes: (file) => isWindowsProgram(file) || isWindowsZip(file),
    asks: asksWindows,
    load: async () => (await import('./git/taps')).scoop,
  },
  homebrew: {
    takes: isMacApp,
    asks: asksHomebrew,
    load: async () => (await import('./git/taps')).homebrew,
  },
  appimageupdate: { takes: ({ facts, zsyncSize }) => facts?.kind === 'appimage' && !!zsyncSize },
  gearlever: {
    takes: ({ facts, zsyncSize }) => facts?.kind === 'appimage' && !zsyncSize,
    names: 'processors',
  },
  vagrant: {
    takes: ({ facts }) => facts?.kind === 'box' && facts.minOs !== undefined,
    load: async () => (await import('./updaters/vagrant')).vagrant,
  },
  // The registry of this host (`/v2/`) serves it.
  oci: { takes: isNamed(/\.oci(\.tar)?$/i) },
  pip: {
    takes: isListed('whl'),
    names: 'packages',
    isLasting: true,
    load: async () => (await import('./pip/repository')).pip,
  },
  npm: {
    takes: isListed('npm'),
    names: 'packages',
    isLasting: true,
    load: async () => (await import('./npm/repository')).npm,
  },
  imager: { takes: isOfKind('img'), load: async () => (await import('./flashing/imager')).imager },
  'esp-web-tools': {
    takes: isListed('bin'),
    firmware: ({ role }) => role === 'whole',
    load: async () => (await import('./flashing/espressif')).espWebTools,
  },
  // ESP8266 boots the app directly: the same file serves both.
  esphome: {
    takes: isListed('bin'),
    firmware: ({ role, chip }) => role === 'app' || chip === 'ESP8266',
    load: async () => (await import('./flashing/espressif')).espHome,
  },
  sparkle: {
    takes: (file) => isMacApp(file) || isWindowsProgram(file),
    signed: (file) => (isWindowsProgram(file) ? 'required' : 'wanted'),
    load: async () => (await import('./updaters/sparkle')).sparkle,
  },
  tauri: {
    takes: isNamed(/\.(exe|msi|app\.tar\.gz|(nsis|msi)\.zip|appimage(\.tar\.gz)?|deb|rpm)$/i),
    signed: () => 'required',
    load: async () => (await import('./updaters/tauri')).tauri,
  },
  squirrel: {
    takes: isNamed(/^[\w.+-]+\.nupkg$/i),
    load: async () => (await import('./updaters/squirrel')).squirrel,
  },
  zsync: {
    takes: isOfKind('appimage'),
    names: 'processors',
    load: async () => (await import('./updaters/zsync')).zsync,
  },
  firefox: {
    takes: isExtension(/\.xpi$/i),
    load: async () => (await import('./updaters/extensions')).firefox,
  },
  chromium: {
    takes: isExtension(/\.crx$/i),
    load: async () => (await import('./updaters/extensions')).chromium,
  },
} satisfies Record<UpdateClient, UpdateSource>

type Sources = typeof updateSources
/** The clients whose addresses are below `/p/rocket/feeds/{client}/`. */
export type ServedClient = {
  [C in UpdateClient]: Sources[C] extends { load: unknown } ? C : never
}[UpdateClient]
