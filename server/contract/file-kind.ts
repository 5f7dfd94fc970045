import { z } from 'zod'

export const fileKindSchema = z.enum(['android', 'ios', 'windows', 'macos', 'linux', 'archive', 'other'])

/** What a file is for, as its extension tells. */
export type FileKind = z.infer<typeof fileKindSchema>

const extensions: Record<Exclude<FileKind, 'other'>, RegExp> = {
  android: /\.(apk|aab|xapk)$/i,
  ios: /\.ipa$/i,
  windows: /\.(exe|msi|msix)$/i,
  macos: /\.(dmg|pkg)$/i,
  linux: /\.(appimage|deb|rpm|snap|flatpak)$/i,
  archive: /\.(jar|zip|tar\.gz|tgz|7z)$/i,
}

/** The kind of a file; every kind but `other` is an application package: a build. */
export function fileKind(filename: string): FileKind {
  const found = Object.entries(extensions).find(([, pattern]) => pattern.test(filename))
  return (found?.[0] as FileKind | undefined) ?? 'other'
}
