import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { PostgresError } from '../postgres-error'
import type { Head } from '../tables'

const pack = promisify(gzip)
const unpack = promisify(gunzip)
const CIPHER = 'aes-256-gcm'
const KEY = 32
/** In bytes, of the number used once (NIST SP 800-38D §8.2.2). */
const ONCE = 12
const TAG = 16
/** The first byte of what is sealed. */
const FORM = 1

/** A file and which version of it: sealed contents count for no other. */
export interface FileVersion {
  name: string
  version: number
}

/**
 * Encrypts the files that the hosts of a cluster share, so that neither the database nor its dumps
 * can be read. Its key comes from the secret of the cluster by HKDF with SHA-256 (RFC 5869).
 */
export class FileCipher {
  /** Proves the secret without telling it: equal at all hosts. */
  readonly proof: string
  readonly #key: Buffer

  /** `id`: of the cluster. */
  constructor(secret: string, id: string) {
    const derive = (use: string, bytes: number) =>
      Buffer.from(hkdfSync('sha256', secret, id, use, bytes))
    this.#key = derive('slipway: files of a cluster', KEY)
    this.proof = derive('slipway: proof of the secret', KEY).toString('base64url')
  }

  /** Form, number used once, AES-256-GCM of the packed content, tag. */
  async seal(file: FileVersion, content: Uint8Array): Promise<Buffer> {
    const packed = await pack(content)
    const once = randomBytes(ONCE)
    const cipher = createCipheriv(CIPHER, this.#key, once).setAAD(labelOf(file))
    return Buffer.concat([
      Buffer.of(FORM),
      once,
      cipher.update(packed),
      cipher.final(),
      cipher.getAuthTag(),
    ])
  }

  /** Throws PostgresError if it is not what was sealed as this version of this file. */
  async open(file: FileVersion, sealed: Buffer): Promise<Buffer> {
    try {
      const end = sealed.length - TAG
      const decipher = createDecipheriv(CIPHER, this.#key, sealed.subarray(1, 1 + ONCE), {
        authTagLength: TAG,
      })
      decipher.setAAD(labelOf(file)).setAuthTag(sealed.subarray(end))
      if (sealed[0] !== FORM) throw new Error('unknown form')
      return await unpack(
        Buffer.concat([decipher.update(sealed.subarray(1 + ONCE, end)), decipher.final()]),
      )
    } catch (cause) {
      throw new PostgresError(
        `The file ${file.name} in PostgreSQL is damaged. Restore the database from its backup`,
        false,
        cause,
      )
    }
  }
}

const labelOf = ({ name, version }: FileVersion) => Buffer.from(JSON.stringify([name, version]))

/** Throws PostgresError unless a host with this proof of its secret belongs to the cluster. */
export function requireProof({ keyProof }: Pick<Head, 'keyProof'>, proof: string): void {
  if (keyProof === proof) return
  throw new PostgresError(
    'The secret in the file of --cluster is not that of this cluster. Give it the one that the other hosts have',
  )
}
