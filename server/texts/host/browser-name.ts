/** The order matters: most browsers also name others. */
const BROWSERS: readonly [pattern: RegExp, name: string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: readonly [pattern: RegExp, name: string][] = [
  [/Windows/, 'Windows'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

const matchName = (patterns: typeof BROWSERS, userAgent: string) =>
  patterns.find(([pattern]) => pattern.test(userAgent))?.[1]

/** `Firefox on Linux`, from a user agent; undefined if it is unknown. */
export function knownBrowser(userAgent: string): string | undefined {
  const browser = matchName(BROWSERS, userAgent)
  const system = matchName(SYSTEMS, userAgent)
  if (browser === undefined) return undefined
  return system === undefined ? browser : `${browser} on ${system}`
}

/** The same; its first words if it is unknown. */
export const browserName = (userAgent: string): string =>
  knownBrowser(userAgent) ?? (userAgent.slice(0, 40) || 'Unknown browser')
