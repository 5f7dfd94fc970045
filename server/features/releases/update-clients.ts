import type { UpdateClient } from '../../contract/projects/subscriptions'
import type { FileRecord } from '../../data/records/file-records'

/** The client of each kind of package that a repository lists. */
const REPOSITORIES: Readonly<Partial<Record<string, UpdateClient>>> = {
  deb: 'apt',
  rpm: 'rpm',
  apk: 'fdroid',
  pacman: 'pacman',
  whl: 'pip',
  npm: 'npm',
}
/** The clients of a file by its name. */
const BY_NAME: readonly (readonly [RegExp, readonly UpdateClient[]])[] = [
  [/\.apk$/i, ['obtainium']],
  [/\.(exe|msi)$/i, ['winget', 'scoop']],
  [/\.(msix|appx)(bundle)?$/i, ['winget']],
  [/(?<![a-z])win(dows|32|64)?(?![a-z]).*\.zip$/i, ['scoop']],
  [/\.dmg$/i, ['homebrew', 'sparkle']],
  [/\.nupkg$/i, ['squirrel']],
  [/\.oci(\.tar)?$/i, ['oci']],
]
const BY_KIND: Readonly<Partial<Record<string, readonly UpdateClient[]>>> = {
  ipa: ['altstore'],
  app: ['homebrew', 'sparkle'],
  box: ['vagrant'],
  img: ['imager'],
}
/** The updaters inside apps. They install only files that the creator has signed. */
const WHERE_SIGNED: readonly (readonly [RegExp, readonly UpdateClient[]])[] = [
  [/\.(exe|msi)$/i, ['sparkle', 'tauri']],
  [/\.(app\.tar\.gz|(nsis|msi)\.zip|appimage|appimage\.tar\.gz|deb|rpm)$/i, ['tauri']],
]

/**
 * Lists the programs that update from a file. `isSigned`: the creator has signed it in a file
 * beside it.
 */
export function listClients(
  { facts, hasIndex, filename, zsyncSize }: FileRecord,
  isSigned: boolean,
): UpdateClient[] {
  const repository = facts && hasIndex ? REPOSITORIES[facts.kind] : undefined
  const clients = repository === undefined ? [] : [repository]

  // A zip with an app for macOS may be called anything.
  for (const [name, ofName] of facts?.kind === 'app' ? [] : BY_NAME)
    if (name.test(filename)) clients.push(...ofName)

  for (const [name, ofName] of isSigned ? WHERE_SIGNED : [])
    if (name.test(filename)) clients.push(...ofName)

  clients.push(...(facts ? (BY_KIND[facts.kind] ?? []) : []))
  if (facts?.kind === 'appimage') clients.push(zsyncSize ? 'appimageupdate' : 'gearlever', 'zsync')
  if (facts?.kind === 'extension' && facts.appId !== undefined)
    clients.push(/\.crx$/i.test(filename) ? 'chromium' : 'firefox')

  return clients
}

/** Returns the files of a release that the creator has signed in a file beside them. */
export function signedNames(files: readonly Pick<FileRecord, 'filename'>[]): Set<string> {
  return new Set(files.flatMap(({ filename }) => /^(.+)\.(?:ed)?sig$/i.exec(filename)?.[1] ?? []))
}
