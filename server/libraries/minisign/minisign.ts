import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
} from 'node:crypto'
import { blake2b } from '@noble/hashes/blake2.js'

/** A key that signs. */
export interface MinisignKey {
  /** 16 hexadecimal digits. */
  id: string
  /** PKCS #8, as PEM. */
  pem: string
}

export function makeMinisignKey(): MinisignKey {
  const { privateKey } = generateKeyPairSync('ed25519')
  return {
    id: randomBytes(8).toString('hex'),
    pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** The public key as `minisign -P` takes it. */
export function minisignPublicKey({ id, pem }: MinisignKey): string {
  const spki = createPublicKey(createPrivateKey(pem)).export({ type: 'spki', format: 'der' })
  return Buffer.concat([Buffer.from('Ed'), Buffer.from(id, 'hex'), spki.subarray(-32)]).toString(
    'base64',
  )
}

/** Returns the content of a `.minisig` file. The comment is signed, too, and has one line. */
export function signMinisign({ id, pem }: MinisignKey, content: Buffer, comment: string): string {
  const signature = sign(null, blake2b(content, { dkLen: 64 }), pem)
  const line = comment.replaceAll(/[\r\n]/g, ' ')
  const whole = sign(null, Buffer.concat([signature, Buffer.from(line)]), pem)
  const head = Buffer.concat([Buffer.from('ED'), Buffer.from(id, 'hex'), signature])
  return (
    `untrusted comment: signature of this host\n${head.toString('base64')}\ntrusted comment: ` +
    `${line}\n${whole.toString('base64')}\n`
  )
}
