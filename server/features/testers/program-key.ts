import { createHmac } from 'node:crypto'

/** In no token. */
const SEPARATOR = '.'

/**
 * What follows `/t/`: the token of a link, and the key that programs have there instead of its
 * password. More parts are no token.
 */
export function splitToken(segment: string): { token: string; key: string | undefined } {
  const [token = '', key, ...more] = segment.split(SEPARATOR)
  return more.length > 0 ? { token: segment, key: undefined } : { token, key }
}

/**
 * The token with the key for programs. It ends with the password, whose salted hash nobody else
 * knows.
 */
export function withProgramKey(segment: string, passwordHash: string | null): string {
  const { token } = splitToken(segment)
  return passwordHash === null ? segment : token + SEPARATOR + programKey(token, passwordHash)
}

/** 128 bits, as a token has. */
export const programKey = (token: string, passwordHash: string): string =>
  createHmac('sha256', passwordHash).update(`programs ${token}`).digest('base64url').slice(0, 22)
