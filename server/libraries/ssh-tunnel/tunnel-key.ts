import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile, unlessMissing, type Disk } from '../../core/durable-file'

export interface TunnelKey {
  /** OpenSSH format. */
  privateKey: string
  /** `ssh-ed25519 AAAA… slipway`. */
  publicLine: string
}

/**
 * The line for `authorized_keys` on the server: the key may forward this one port, and neither run
 * commands nor forward anything else to it (sshd(8), AUTHORIZED_KEYS FILE FORMAT).
 */
export const authorizedKeyLine = (
  { publicLine }: Pick<TunnelKey, 'publicLine'>,
  remotePort: number,
): string => `restrict,port-forwarding,permitlisten="${remotePort}" ${publicLine}`

/** Lets concurrent calls share one key, instead of creating two. */
const loading = new Map<string, Promise<TunnelKey>>()

/**
 * Loads the Ed25519 key that identifies this computer to SSH servers, from `tunnel-key` in the data
 * folder, or creates it. Not in backups. Never overwrites an unreadable file.
 */
export function tunnelKey(dataDir: string, disk: Disk): Promise<TunnelKey> {
  const path = join(dataDir, 'tunnel-key')
  const loaded = loading.get(path) ?? load(path, disk).finally(() => loading.delete(path))
  loading.set(path, loaded)
  return loaded
}

async function load(path: string, disk: Disk): Promise<TunnelKey> {
  const text = await unlessMissing(readFile(path, 'utf8'))

  if (text === undefined) {
    const made = written(generateKeyPairSync('ed25519').privateKey)
    await replaceFile(path, made.privateKey, disk)
    return made
  }

  await chmod(path, 0o600)

  // The cause of a failure would quote the key, and errors are logged.
  const storedKey = read(text)
  if (storedKey?.privateKey !== text)
    throw new Error(
      `${path} is damaged. Restore it, or delete it: then the server has to accept a new key.`,
    )
  return storedKey
}

/**
 * The start of a private key without a passphrase: cipher, key derivation, its options, and the
 * number of keys.
 */
const HEAD = Buffer.concat([
  Buffer.from('openssh-key-v1\0'),
  packParts('none', 'none', ''),
  Buffer.from([0, 0, 0, 1]),
])
const TYPE = 'ssh-ed25519'
const COMMENT = 'slipway'
const KEY_BYTES = 32
/** An Ed25519 key in PKCS #8, up to its 32 bytes (RFC 8410 §7). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * Writes a key in OpenSSH's format (PROTOCOL.key of OpenSSH). ssh2 can do the same, but takes 50 ms
 * and 19 MB to load, and the page shows the public line before a tunnel exists.
 */
function written(key: KeyObject): TunnelKey {
  const { d = '', x = '' } = key.export({ format: 'jwk' })

  const open = Buffer.from(x, 'base64url')
  const both = Buffer.concat([Buffer.from(d, 'base64url'), open])
  const blob = packParts(TYPE, open)

  // Two equal numbers show that decryption worked; here nothing is encrypted.
  const pair = Buffer.concat([Buffer.alloc(8), blob, packParts(both, COMMENT)])
  const padding = Buffer.from([1, 2, 3, 4, 5, 6, 7].slice(0, -pair.length & 7))

  const bytes = Buffer.concat([HEAD, packParts(blob, Buffer.concat([pair, padding]))])
  const lines = bytes.toString('base64').match(/.{1,70}/g) ?? []

  return {
    privateKey: [
      '-----BEGIN OPENSSH PRIVATE KEY-----',
      ...lines,
      '-----END OPENSSH PRIVATE KEY-----',
      '',
    ].join('\n'),
    publicLine: `${TYPE} ${blob.toString('base64')} ${COMMENT}`,
  }
}

/** Reads the key in a text of `written`. Returns undefined for other texts. */
function read(text: string): TunnelKey | undefined {
  const bytes = Buffer.from(text.replace(/-----.*-----/g, ''), 'base64')
  const blob = packParts(TYPE, Buffer.alloc(KEY_BYTES))
  // After head, public key, and in the pair its length, the two numbers, the public key again and
  // the secret's length.
  const start = HEAD.length + (4 + blob.length) + 4 + 8 + blob.length + 4
  const secret = bytes.subarray(start, start + KEY_BYTES)
  if (secret.length < KEY_BYTES) return undefined
  return written(
    createPrivateKey({ key: Buffer.concat([PKCS8, secret]), format: 'der', type: 'pkcs8' }),
  )
}

/** Each part after its length in 4 bytes (RFC 4251 §5, `string`). */
function packParts(...parts: (string | Buffer)[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(part.length)
      return [length, Buffer.from(part)]
    }),
  )
}
