import { createHmac } from 'node:crypto'
import { isSameSecret } from '../../access/same-secret'

/** How long a code is shown, in ms. */
const STEP_MS = 30_000
const DIGITS = 6
/** RFC 4226 §4: at least 128 bits; the length of SHA-1 is recommended. */
export const SECRET_BYTES = 20
/** How many steps the clock of a phone may be off (RFC 6238 §5.2). */
const DRIFT = 1
const BASE_32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The code of a time step (RFC 6238, RFC 4226 §5.3). Apps know SHA-1 only. */
export function computeCode(secret: Uint8Array, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()

  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** Returns the time step of a code that is valid at a time; undefined if there is none. */
export function findStep(secret: Uint8Array, code: string, now: Date): number | undefined {
  const current = Math.floor(now.getTime() / STEP_MS)
  const steps = Array.from({ length: 2 * DRIFT + 1 }, (_, index) => current - DRIFT + index)
  return steps.findLast((step) => isSameSecret(code, computeCode(secret, step)))
}

/** RFC 4648 §6 without padding, in which people type a secret. */
export function toBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((group) => BASE_32[Number.parseInt(group.padEnd(5, '0'), 2)])
    .join('')
}

/** The address in the QR code that apps read (Key URI Format of Google Authenticator). */
export function codesUrl(issuer: string, username: string, secret: Uint8Array): string {
  const label = [issuer, username].map(encodeURIComponent).join(':')
  const query = new URLSearchParams({ secret: toBase32(secret), issuer })
  return `otpauth://totp/${label}?${query.toString().replaceAll('+', '%20')}`
}
