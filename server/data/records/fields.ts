import { z } from 'zod'
import { id, time } from '../../contract/fields'
import { isBlobId } from '../blobs/blob-names'

/** The fields of records. */

export const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
export const blobId = z.string().refine(isBlobId, 'not a blob ID')
export const bytes = z.int().nonnegative()
export const text = z.string().max(200_000)
/** SHA-256 of a token or key, base64url: they are random, so they need no slow hash. */
export const tokenHash = z.string().max(128)

/**
 * scrypt in PHC form. The hash contains its cost: at most 2^20, so that no record can stall the
 * host.
 */
export const passwordHash = z
  .string()
  .regex(/^\$scrypt\$ln=(1?\d|20),r=([1-9]|1[0-6]),p=\d\$[\w+/=-]+\$[\w+/=-]+$/)

/** A filename for display, without a folder, safe in archives and headers; never a path. */
export const filename = z
  .string()
  .min(1)
  .max(255)
  .refine((name) => !/[/\\\0]/.test(name) && name !== '.' && name !== '..', 'not a filename')

/** What all links have that people without an account open. */
export const accessLink = z.object({
  id,
  /** The owner of what it opens. */
  ownerId: id,
  name: text,
  tokenHash,
  /**
   * The token, encrypted by a key of the host, which shows its owner the address again. Without it,
   * the address was shown once.
   */
  sealedToken: text.optional(),
  /** Null: no password. */
  passwordHash: passwordHash.nullable(),
  createdAt: time,
  expiresAt: time,
})
export type AccessLink = z.infer<typeof accessLink>
