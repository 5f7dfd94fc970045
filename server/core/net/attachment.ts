/**
 * A Content-Disposition in ASCII (RFC 6266, RFC 8187): browsers drop a plain name in Latin-1, and
 * stores refuse one. Some clients decode `%` in the plain name, so the exact name is added whenever
 * they differ.
 */
export function attachment(filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/gu, '_')
  if (plain === filename) return `attachment; filename="${plain}"`
  const exact = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}
