import { normalizeText, withoutUnseen } from '../contract/unseen'

const MAX_BYTES = 255
const BREAKS = /[\t\n\r]/g
const RESERVED = /[/\\:*?"<>|]/g
const PACKAGE = /\.(tar\.gz|[a-z0-9]{1,10})$/i

/**
 * Sanitizes a filename: last path segment, NFC, without invisible characters, at most 255 bytes of
 * UTF-8 with its extension.
 */
export function cleanFilename(name: string): string {
  const last = name.replace(/^.*[/\\](?=[^/\\])/s, '')
  const clean = normalizeText(withoutUnseen(last)).replace(BREAKS, '').replace(RESERVED, '_')
  return shortenName(withoutTail(clean).trim()) || 'file'
}

/** Trims trailing dots and spaces. A regular expression would take quadratic time. */
function withoutTail(name: string): string {
  let end = name.length
  while (name[end - 1] === '.' || name[end - 1] === ' ') end--
  return name.slice(0, end)
}

function shortenName(name: string): string {
  if (toBytes(name).length <= MAX_BYTES) return name
  const [stem, extension] = splitName(name)
  const room = MAX_BYTES - toBytes(extension).length
  const shortStem = new TextDecoder().decode(toBytes(stem).subarray(0, room))
  return shortStem.replace(/\ufffd+$/, '') + extension
}

const toBytes = (text: string) => new TextEncoder().encode(text)

/** Splits off the extension: `a.tar.gz` is `a` and `.tar.gz`. */
export function splitName(name: string): [stem: string, extension: string] {
  const extension = PACKAGE.exec(name)?.[0] ?? ''
  return [name.slice(0, name.length - extension.length), extension]
}

const NUMBER = String.raw`\d+(?:\.\d+){1,3}(?:[-+](?:alpha|beta|rc|pre|dev)[0-9A-Za-z.]*)?`
const VERSION = new RegExp(`(?:^|[^0-9A-Za-z.])v?(${NUMBER})(?![0-9.])`, 'i')

/** Finds the version in a filename: `1.2.3-beta.1` in `rocket-v1.2.3-beta.1.apk`. */
export function versionIn(filename: string): string | null {
  const stem = filename.replace(PACKAGE, '')
  return VERSION.exec(stem)?.[1] ?? null
}

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
