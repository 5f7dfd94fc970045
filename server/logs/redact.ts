/** Fields that carry secrets, by their names; also as parameters of addresses and in JSON. */
const NAMES = 'pass(?:word|phrase)?|pwd|secret|token|cookie|authorization|api[-_]?key|session|credential|signature|sig'
const SECRET_FIELD = new RegExp(NAMES, 'i')
/** The tokens of links that work once: too short to be known by their length. */
const LINKS = 'setup|link|invite'
const LINK_FIELD = new RegExp(`^(?:${LINKS})$`)
const HIDDEN = '[redacted]'

/** What secrets look like within a text, and what stays of them. */
const patterns: (readonly [pattern: RegExp, kept: string])[] = [
  [/\b((?:set-)?cookie|authorization|x-api-key|x-slipway-window)(["']?\s*[:=]\s*["']?)[^\r\n"']+/gi, `$1$2${HIDDEN}`],
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${HIDDEN}`],
  [new RegExp(`([?&;][\\w-]*(?:${NAMES})[\\w-]*=)[^&;\\s"'<>]+`, 'gi'), `$1${HIDDEN}`],
  [new RegExp(`("[\\w-]*(?:${NAMES})[\\w-]*"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"`, 'gi'), `$1"${HIDDEN}"`],
  [new RegExp(`([?&](?:${LINKS})=)[^&\\s"'<>]+`, 'gi'), `$1${HIDDEN}`],
  [new RegExp(`("(?:${LINKS})"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"`, 'gi'), `$1"${HIDDEN}"`],
  [/(:\/\/)[^/\s:@]+:[^/\s@]+@/g, `$1${HIDDEN}@`],
  [/\bapk_[\w-]{20,}/g, `apk_${HIDDEN}`],
  // Sessions, keys and the secret of the window are 32 random bytes: 43 characters of base64url, whatever the place.
  [/(?<![\w-])[\w-]{43}(?![\w-])/g, HIDDEN],
]

/** The text without what looks like a password, a key, a cookie or a token. */
export function redactText(text: string): string {
  return patterns.reduce((rest, [pattern, kept]) => rest.replace(pattern, kept), text)
}

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
