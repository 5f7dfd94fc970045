export const fileKinds = [
  'android',
  'ios',
  'windows',
  'macos',
  'linux',
  'image',
  'firmware',
  'archive',
  'other',
] as const

/** The purpose of a file, by extension. */
export type FileKind = (typeof fileKinds)[number]

const extensions: Record<Exclude<FileKind, 'other'>, RegExp> = {
  android: /\.(apk|aab|xapk|apkm)$/i,
  ios: /\.ipa$/i,
  windows: /\.(exe|msi|(msix|appx)(bundle)?)$/i,
  macos: /\.(dmg|pkg)$/i,
  linux: /\.(appimage|deb|rpm|snap|flatpak|pacman|pkg\.tar\.(zst|xz|gz))$/i,
  image: /\.(iso|img(\.(xz|gz|zst))?|qcow2|vmdk|ova)$/i,
  firmware: /\.(bin|uf2|hex|dfu)$/i,
  archive: /\.(jar|whl|zip|tar\.gz|tgz|7z)$/i,
}

const kinds = Object.entries(extensions) as [FileKind, RegExp][]

/** Every kind but `other` is an application package: a build. */
export const fileKind = (filename: string): FileKind =>
  kinds.find(([, pattern]) => pattern.test(filename))?.[0] ?? 'other'
