import { decodePart } from '../net/percent-encoding'

/** Names of fields that hold secrets; also matched as query parameters and JSON keys. */
const NAMES =
  'pass(?:word|phrase)?|pwd|secret|token|cookie|authorization|api[-_]?key|access[-_]?key|session|' +
  'credential|signature|sig'
const HEADERS = '(?:set-)?cookie|authorization|x-api-key|x-slipway-window'
const SECRET_FIELD = new RegExp(NAMES, 'i')
/** Tokens of one-time links are too short to detect by length. */
const LINK_FIELD = /^(?:setup|link|invite)$/
const HIDDEN = '[redacted]'

/** Longer lines are cut, in characters. */
const MOST_OF_LINE = 16 * 1024

type Pattern = readonly [
  pattern: RegExp,
  kept: string | ((whole: string, ...groups: string[]) => string),
]

/**
 * Patterns of secrets in a text and their replacements. Each runs in linear time: it matches a
 * whole name first and then tests it, because searching for a word within a name would backtrack.
 */
const patterns: readonly Pattern[] = [
  [new RegExp(String.raw`\b(${HEADERS})(["']?\s*[:=]\s*["']?)[^\r\n"']+`, 'gi'), `$1$2${HIDDEN}`],
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${HIDDEN}`],
  [
    /[?&;]([\w-]+)=[^&;\s"'<>]+/g,
    (whole, name = '') => hidden(whole, name, `${whole[0]}${name}=${HIDDEN}`),
  ],
  [
    /"([\w-]+)"(\s*:\s*)"(?:[^"\\]|\\.)*"?/g,
    (whole, name = '', colon = '') => hidden(whole, name, `"${name}"${colon}"${HIDDEN}"`),
  ],
  [/(:\/\/)[^/\s:@]+:[^/\s@]+@/g, `$1${HIDDEN}@`],
  // The token of a tester link, a share link, a file request, a report or a notice, in its path.
  [/(\/[nrstu]\/)[^/?#\s"'<>]{8,}/gi, `$1${HIDDEN}`],
  // A token at a mistyped address. Slugs have no capitals.
  [/(?<=\/)(?=[\w-]*[A-Z])[\w-]{22}(?![\w-])/g, HIDDEN],
  // A tester link in hexadecimal, as registries of containers take it. A SHA-256 has 64 digits, and
  // is no secret.
  [/(?<![0-9a-f])[0-9a-f]{40,}(?![0-9a-f])/gi, (whole) => (whole.length === 64 ? whole : HIDDEN)],
  [/\bapk_[\w-]{20,}/g, `apk_${HIDDEN}`],
  // Sessions, keys and the window secret are 32 random bytes: 43 characters of base64url.
  [/(?<![\w-])[\w-]{43}(?![\w-])/g, HIDDEN],
]

const hidden = (whole: string, name: string, instead: string) =>
  SECRET_FIELD.test(name) || LINK_FIELD.test(name) ? instead : whole

/** Removes passwords, keys, cookies and tokens from a text, and cuts very long lines. */
export function redactText(text: string): string {
  const safeText = hideDecoded(hideSecrets(text))
  // Cut last: half a secret would not be recognized.
  return safeText.length > MOST_OF_LINE ? safeText.split('\n').map(cut).join('\n') : safeText
}

const hideSecrets = (text: string) =>
  patterns.reduce(
    (rest, [pattern, replacement]) => rest.replace(pattern, replacement as string),
    text,
  )

/**
 * Hides a token that appears only after percent-decoding, as the server decodes paths. Otherwise
 * returns the text unchanged.
 */
function hideDecoded(text: string): string {
  const decoded = text.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => decodePart(encoded) ?? encoded)
  const safeText = hideSecrets(decoded)
  return safeText === decoded ? text : safeText
}

const cut = (line: string) =>
  line.length > MOST_OF_LINE
    ? `${line.slice(0, MOST_OF_LINE)} [${line.length - MOST_OF_LINE} more characters]`
    : line

/**
 * A JSON.stringify replacer: hides secret fields, redacts all texts, and turns errors into stacks.
 */
export function redactField(name: string, value: unknown): unknown {
  if (
    SECRET_FIELD.test(name) &&
    (typeof value === 'string' || typeof value === 'object') &&
    value !== null
  ) {
    return HIDDEN
  }

  if (LINK_FIELD.test(name) && typeof value === 'string') return HIDDEN
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'string') return redactText(value)
  return value instanceof Error ? redactText(describe(value)) : value
}

function describe(error: Error, depth = 0): string {
  const own = error.stack ?? error.message
  return error.cause instanceof Error && depth < 4
    ? `${own}\nCaused by: ${describe(error.cause, depth + 1)}`
    : own
}
