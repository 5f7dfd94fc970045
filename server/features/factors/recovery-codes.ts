import { randomInt } from 'node:crypto'
import { hashOfToken } from '../../access/link-token'
import { RECOVERY_CODES } from '../../contract'

/** Digits and letters that are hard to confuse (Crockford's base 32). */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'
/** 24 letters are 120 bits, so that a stored hash needs no slow one (OWASP ASVS 6.5.2). */
const GROUPS = 4
const GROUP_LENGTH = 6

/** Creates recovery codes, as people print them. */
export function newRecoveryCodes(): string[] {
  const newGroup = () =>
    Array.from({ length: GROUP_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  return Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: GROUPS }, newGroup).join('-'),
  )
}

/** The stored form of a recovery code, however it was typed. */
export function hashOfRecoveryCode(typed: string): string {
  const letters = typed.toLowerCase().replaceAll('o', '0').replaceAll(/[il]/g, '1')
  return hashOfToken(letters.replaceAll(/[^a-z0-9]/g, ''))
}
