/** As in the contract, in characters. */
const LONGEST = 100

/** A text for people from a package: without invisible characters, on one line, cut to 100 characters. Null: nothing. */
export function words(text: string | null | undefined): string | null {
  const line = (text ?? '')
    .slice(0, 2 * LONGEST)
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim()
  // A cut between the halves of a character leaves one that is invalid.
  const cut = line
    .slice(0, LONGEST)
    .replace(/[\ud800-\udbff]$/, '')
    .trim()
  return cut === '' ? null : cut
}

/** An identifier from a package. Null: missing, too long, or with spaces or invisible characters. */
export function identifier(text: string | null | undefined, longest = LONGEST): string | null {
  return text === null || text === undefined || text === '' || text.length > longest || /[\s\p{C}]/u.test(text)
    ? null
    : text
}
