/** 'Lantern-1.2.APK' → 'apk', 'src.tar.gz' → 'tar.gz', 'README' → ''. */
export function extensionOf(filename: string): string {
  const match = /\.((?:tar|img)\.[a-z0-9]{1,4}|[a-z0-9]{1,12})$/i.exec(filename)
  return match?.[1]?.toLowerCase() ?? ''
}

/** 'lantern_app-1.4.0-beta.apk' → 'Lantern app'. */
export function titleOfFilename(filename: string): string {
  const extension = extensionOf(filename)
  const name = extension === '' ? filename : filename.slice(0, -extension.length - 1)
  const words = name
    .replace(/[-_ ]+v?\d+(\.\d+)+.*$/i, '')
    .replace(/[-_\s]+/g, ' ')
    .trim()
  const title = words === '' ? name : words
  return title.charAt(0).toUpperCase() + title.slice(1)
}
