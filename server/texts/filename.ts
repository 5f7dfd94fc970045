/** 'Lantern-1.2.APK' → 'apk', 'src.tar.gz' → 'tar.gz', 'README' → ''. */
export function extensionOf(filename: string): string {
  const match = /\.((?:tar|img)\.[a-z0-9]{1,4}|[a-z0-9]{1,12})$/i.exec(filename)
  return match?.[1]?.toLowerCase() ?? ''
}
