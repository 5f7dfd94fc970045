import { z } from 'zod'
import { factorKinds } from './accounts/proofs'
import { errorStatus, type ErrorCode } from './errors'

export const problemSchema = z.object({
  success: z.literal(false),
  /** The message: what happened, why, and what to do. */
  error: z.string(),
  code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
  /** The invalid input, if any. */
  field: z.string().optional(),
  /** A value that the input would accept, if known. */
  suggestion: z.union([z.string(), z.number()]).optional(),
  /** With `factor_needed`: proves the password to the call that follows, for ten minutes. */
  sign_in_ticket: z.string().optional(),
  /** With `factor_needed`: what the account has. A recovery code counts as a code. */
  factors: z.array(z.enum(factorKinds)).optional(),
})

/** The body of every error reply. */
export type Problem = z.infer<typeof problemSchema>
