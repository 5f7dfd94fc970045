/** The three formats of RFC 9110 §5.6.7: IMF-fixdate, RFC 850, asctime (no time zone). */
const IMF = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/
const RFC_850 = /^[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/

/**
 * Parses an HTTP date into seconds since 1970; undefined for an invalid one, whose header is then
 * ignored.
 */
export function parseHttpDate(text: string): number | undefined {
  if (!IMF.test(text) && !RFC_850.test(text) && !ASCTIME.test(text)) return undefined
  const ms = Date.parse(ASCTIME.test(text) ? `${text} GMT` : text.replaceAll('-', ' '))
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000)
}
