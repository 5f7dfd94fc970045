import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'

const PEM = '-----BEGIN '

/**
 * The private key that signs updates: PEM, base64 (of PKCS #8 DER or of PEM), or a path to a file
 * with either.
 */
export function signingKey(given: string): KeyObject {
  return ed25519('SLIPWAY_UPDATE_SIGNING_KEY', () => {
    const text = textOf(given)
    return text.startsWith(PEM)
      ? createPrivateKey(text)
      : createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' })
  })
}

export function publicKey(given: string): KeyObject {
  return ed25519('SLIPWAY_UPDATE_PUBLIC_KEY', () => {
    const text = textOf(given)
    return text.startsWith(PEM)
      ? createPublicKey(text)
      : createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' })
  })
}

/** The app's format: base64 of SPKI DER. */
export const spki = (key: KeyObject): string =>
  key.export({ format: 'der', type: 'spki' }).toString('base64')

function textOf(given: string): string {
  const text = (existsSync(given) ? readFileSync(given, 'utf8') : given).trim()
  const decoded = Buffer.from(text, 'base64').toString('latin1')
  return decoded.startsWith(PEM) ? decoded : text
}

/** Never includes the key in an error. */
function ed25519(name: string, read: () => KeyObject): KeyObject {
  let key: KeyObject | undefined
  try {
    key = read()
  } catch {
    // The error below covers it.
  }
  if (key?.asymmetricKeyType === 'ed25519') return key
  throw new Error(
    `${name} is not an Ed25519 key: give it as PEM, as base64, or as the path of a file`,
  )
}
