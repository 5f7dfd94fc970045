import { createHmac } from 'node:crypto'

/** Separates token and key. Tokens do not contain it. */
const SEPARATOR = '.'

/**
 * Splits what follows `/t/` into the token of a link, and the key that programs send instead of its
 * password. More parts are not a token.
 */
export function splitToken(segment: string): { token: string; key: string | undefined } {
  const [token = '', key, ...more] = segment.split(SEPARATOR)
  return more.length > 0 ? { token: segment, key: undefined } : { token, key }
}

/**
 * Returns the token with the key for programs. The key depends on the salted hash of the password,
 * so it changes with the password, and only the server can compute it.
 */
export function withProgramKey(segment: string, passwordHash: string | null): string {
  const { token } = splitToken(segment)
  return passwordHash === null ? segment : token + SEPARATOR + programKey(token, passwordHash)
}

/** 128 bits, like a token. */
export const programKey = (token: string, passwordHash: string): string =>
  createHmac('sha256', passwordHash).update(`programs ${token}`).digest('base64url').slice(0, 22)
