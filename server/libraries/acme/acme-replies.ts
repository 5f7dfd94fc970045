import { z } from 'zod'

/**
 * Replies of an authority (RFC 8555 §7.1), limited to what we read. Lengths are limits against
 * hostile replies.
 */
const url = z.string().max(2048)

export const directorySchema = z.object({
  newNonce: url,
  newAccount: url,
  newOrder: url,
  meta: z
    .object({
      externalAccountRequired: z.boolean().optional(),
      /** Profiles by name (draft-ietf-acme-profiles). */
      profiles: z.record(z.string().max(100), z.unknown()).optional(),
    })
    .optional(),
})
export type Directory = z.infer<typeof directorySchema>

/** Text of the authority for a log line: no control characters, at most 500 others. */
const words = z.string().transform((text) =>
  text
    .slice(0, 500)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim(),
)

/** An error (RFC 7807). `subproblems` name the identifier that failed. */
export const problemSchema = z.object({
  type: z.string().max(200).default(''),
  detail: words.default(''),
  subproblems: z
    .array(z.object({ detail: words.default('') }))
    .max(20)
    .optional(),
})
export type AcmeProblem = z.infer<typeof problemSchema>

export const orderSchema = z.object({
  status: z.enum(['pending', 'ready', 'processing', 'valid', 'invalid']),
  authorizations: z.array(url).min(1).max(5),
  finalize: url,
  certificate: url.optional(),
  error: problemSchema.optional(),
})

export const authorizationSchema = z.object({
  status: z.enum(['pending', 'valid', 'invalid', 'deactivated', 'expired', 'revoked']),
  challenges: z
    .array(
      z.object({
        type: z.string().max(100),
        url,
        /** Base64url; absent for types that we do not use. */
        token: z
          .string()
          .regex(/^[\w-]{1,200}$/)
          .optional(),
        error: problemSchema.optional(),
      }),
    )
    .max(20),
})
