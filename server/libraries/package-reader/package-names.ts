import type { PackageKind } from '../../contract/files/facts'

/**
 * The extension of a file that is read as a package: its kind, another name of one, or the zip of a
 * macOS app.
 */
export type PackageExtension =
  | Exclude<PackageKind, 'app' | 'npm' | 'extension'>
  | 'zip'
  | 'tgz'
  | 'xpi'
  | 'crx'
  | 'apkm'
  | 'appx'
  | 'msixbundle'
  | 'appxbundle'

/**
 * Each extension once, checked by its type: the worker must not load the contract with its schemas.
 */
const extensions: Readonly<Record<PackageExtension, true>> = {
  apk: true,
  aab: true,
  xapk: true,
  apks: true,
  apkm: true,
  ipa: true,
  zip: true,
  jar: true,
  exe: true,
  msi: true,
  msix: true,
  appx: true,
  msixbundle: true,
  appxbundle: true,
  deb: true,
  rpm: true,
  appimage: true,
  pkg: true,
  dmg: true,
  pacman: true,
  whl: true,
  tgz: true,
  xpi: true,
  crx: true,
  box: true,
  iso: true,
  img: true,
  qcow2: true,
  vmdk: true,
  ova: true,
  bin: true,
  uf2: true,
  hex: true,
  dfu: true,
}

/** Returns the lower-case extension, or undefined for files that are not read. */
export function packageExtension(filename: string): PackageExtension | undefined {
  if (/\.pkg\.tar\.(zst|xz|gz)$/i.test(filename)) return 'pacman'
  if (/\.img\.(xz|gz|zst)$/i.test(filename)) return 'img'
  const extension = /\.([a-z]+2?)$/i.exec(filename)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(extensions, extension) ? (extension as PackageExtension) : undefined
}

/**
 * Whether `primary.xml` of rpm-md lists a path, as createrepo_c decides. The others are in
 * `filelists.xml` only.
 */
export const isPrimaryPath = (path: string): boolean =>
  path.startsWith('/etc/') || path.includes('bin/') || path === '/usr/lib/sendmail'
