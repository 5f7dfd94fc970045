import type { Context } from 'koa'
import { AppError } from '../../core/errors'

const HEX = /^[0-9a-f]{64}$/i
/** A byte sequence of 32 bytes (RFC 8941 §3.3.5). */
const BYTES = /^:([A-Za-z0-9+/]{43}=):$/

/**
 * Returns the SHA-256 (hex) that the client claims in `Repr-Digest` (RFC 9530 §3),
 * `X-Content-SHA256` or `named`. Throws `invalid_input` for a malformed one: an unchecked digest
 * must not look checked.
 */
export function claimedSha256(ctx: Context, named?: string | null): string | undefined {
  const claims = [
    ['Repr-Digest', fromReprDigest(ctx.get('repr-digest'))],
    ['X-Content-SHA256', fromHex(ctx.get('x-content-sha256'))],
    ['sha256', named?.toLowerCase()],
  ] as const
  const [claim, ...more] = claims.filter(([, value]) => value !== undefined)
  const another = more.find(([, value]) => value !== claim?.[1])
  if (claim && another)
    throw new AppError('invalid_input', `${claim[0]} and ${another[0]} differ`, another[0])
  return claim?.[1]
}

/** Throws `digest_mismatch` when the bytes differ from those the client claims. */
export function requireDigest(claimed: string | undefined, sha256: string): void {
  if (claimed === undefined || claimed === sha256) return
  throw new AppError(
    'digest_mismatch',
    `The bytes arrived with SHA-256 ${sha256} instead of ${claimed}; nothing was saved`,
    'file',
  )
}

function fromReprDigest(header: string): string | undefined {
  if (header === '') return undefined

  const members = header.split(',').map((member) => member.trim().split(/=(.*)/s))
  const value = members.findLast(([name]) => name === 'sha-256')?.[1]
  const digest = BYTES.exec(value ?? '')?.[1]

  if (digest === undefined) {
    throw new AppError(
      'invalid_input',
      'Send Repr-Digest as sha-256=:<44 characters of base64>:',
      'Repr-Digest',
    )
  }

  return Buffer.from(digest, 'base64').toString('hex')
}

function fromHex(header: string): string | undefined {
  if (header === '') return undefined
  if (!HEX.test(header)) {
    throw new AppError(
      'invalid_input',
      'Send X-Content-SHA256 as 64 hexadecimal digits',
      'X-Content-SHA256',
    )
  }
  return header.toLowerCase()
}
