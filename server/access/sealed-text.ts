import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const PURPOSE = 'slipway sealed text'
const IV_BYTES = 12
const TAG_BYTES = 16
/** Without it Node.js accepts tags of 4 bytes, which can be guessed. */
const TAGGED = { authTagLength: TAG_BYTES }

/** Encrypts a short text that a record keeps, by the newest of the host's session keys. */
export function sealText(sessionKeys: readonly string[], text: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, deriveKey(sessionKeys[0] ?? ''), iv)
  const encrypted = Buffer.concat([cipher.update(text), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64url')
}

/** Decrypts a sealed text. Returns undefined if no key of the host fits: it may have other keys. */
export function openText(sessionKeys: readonly string[], sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  const [iv, tag] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)]

  for (const sessionKey of sessionKeys) {
    try {
      const decipher = createDecipheriv(CIPHER, deriveKey(sessionKey), iv, TAGGED).setAuthTag(tag)
      const text = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES))
      return Buffer.concat([text, decipher.final()]).toString()
    } catch {
      // Another key may fit.
    }
  }

  return undefined
}

const deriveKey = (sessionKey: string) =>
  new Uint8Array(hkdfSync('sha256', sessionKey, '', PURPOSE, 32))
