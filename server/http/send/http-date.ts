/** The three forms of RFC 9110 §5.6.7: IMF-fixdate, RFC 850, and what `asctime` prints, which names no zone. */
const IMF = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/
const RFC_850 = /^[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/

/** Reads an HTTP date as seconds since 1970; undefined: it is none, and the field that carries it is to be ignored. */
export function parseHttpDate(text: string): number | undefined {
  if (!IMF.test(text) && !RFC_850.test(text) && !ASCTIME.test(text)) return undefined
  const ms = Date.parse(ASCTIME.test(text) ? `${text} GMT` : text.replaceAll('-', ' '))
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000)
}
