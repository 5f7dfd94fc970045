/** Fields that carry secrets, by their names; also as parameters of addresses and in JSON. */
const NAMES = 'pass(?:word|phrase)?|pwd|secret|token|cookie|authorization|api[-_]?key|session|credential|signature|sig'
const SECRET_FIELD = new RegExp(NAMES, 'i')
/** The tokens of links that work once: too short to be known by their length. */
const LINK_FIELD = /^(?:setup|link|invite)$/
const HIDDEN = '[redacted]'

/** More of one line helps nobody, in characters. */
const MOST_OF_LINE = 16 * 1024

type Pattern = readonly [pattern: RegExp, kept: string | ((whole: string, ...groups: string[]) => string)]

/**
 * What secrets look like within a text, and what stays of them. Each reads a text in linear time: a name is taken as a whole
 * and then looked at, since a pattern that seeks a word within a name tries all ways to part it.
 */
const patterns: readonly Pattern[] = [
  [/\b((?:set-)?cookie|authorization|x-api-key|x-slipway-window)(["']?\s*[:=]\s*["']?)[^\r\n"']+/gi, `$1$2${HIDDEN}`],
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${HIDDEN}`],
  [/[?&;]([\w-]+)=[^&;\s"'<>]+/g, (whole, name = '') => hidden(whole, name, `${whole[0]}${name}=${HIDDEN}`)],
  [
    /"([\w-]+)"(\s*:\s*)"(?:[^"\\]|\\.)*"?/g,
    (whole, name = '', colon = '') => hidden(whole, name, `"${name}"${colon}"${HIDDEN}"`),
  ],
  [/(:\/\/)[^/\s:@]+:[^/\s@]+@/g, `$1${HIDDEN}@`],
  [/\bapk_[\w-]{20,}/g, `apk_${HIDDEN}`],
  // Sessions, keys and the secret of the window are 32 random bytes: 43 characters of base64url, whatever the place.
  [/(?<![\w-])[\w-]{43}(?![\w-])/g, HIDDEN],
]

const hidden = (whole: string, name: string, instead: string) =>
  SECRET_FIELD.test(name) || LINK_FIELD.test(name) ? instead : whole

/** The text without what looks like a password, a key, a cookie or a token, and without the rest of lines without end. */
export function redactText(text: string): string {
  const told = patterns.reduce((rest, [pattern, kept]) => rest.replace(pattern, kept as string), text)
  // Cut last: half a secret does not look like one.
  return told.length > MOST_OF_LINE ? told.split('\n').map(cut).join('\n') : told
}

const cut = (line: string) =>
  line.length > MOST_OF_LINE ? `${line.slice(0, MOST_OF_LINE)} [${line.length - MOST_OF_LINE} more characters]` : line

/** For JSON.stringify: hides fields by their names, and looks into every text; errors become their stacks. */
export function redactField(name: string, value: unknown): unknown {
  if (SECRET_FIELD.test(name) && (typeof value === 'string' || typeof value === 'object') && value !== null) {
    return HIDDEN
  }
  if (LINK_FIELD.test(name) && typeof value === 'string') return HIDDEN
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'string') return redactText(value)
  return value instanceof Error ? redactText(describe(value)) : value
}

/** The stack of an error and of what caused it. */
function describe(error: Error, depth = 0): string {
  const own = error.stack ?? error.message
  return error.cause instanceof Error && depth < 4 ? `${own}\nCaused by: ${describe(error.cause, depth + 1)}` : own
}
