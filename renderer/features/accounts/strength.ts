export type Strength = 'weak' | 'fair' | 'good' | 'strong'

const alphabets = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/]

/** Rates a password: length counts most, then kinds of characters; repetition lowers it. */
export function strengthOf(password: string): Strength {
  const different = new Set(password.toLowerCase()).size
  const kinds = alphabets.filter((alphabet) => alphabet.test(password)).length
  const length = Math.min(password.length, different * 2)
  if (length < 8) return 'weak'
  if (length < 12) return kinds >= 3 ? 'good' : 'fair'
  return length >= 16 || kinds >= 3 ? 'strong' : 'good'
}
