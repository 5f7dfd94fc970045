import { z } from 'zod'

/** Every failure that a client can see. The code is the contract; the text is for people (RFC 9110 §15). */
export const errorStatus = {
  invalid_input: 400,
  file_missing: 400,
  sign_in_required: 401,
  bad_credentials: 401,
  bad_api_key: 401,
  forbidden: 403,
  foreign_origin: 403,
  registration_closed: 403,
  setup_link_invalid: 403,
  manage_link_invalid: 403,
  invite_link_invalid: 403,
  account_disabled: 403,
  quota_exceeded: 403,
  too_many_records: 403,
  not_found: 404,
  request_timeout: 408,
  taken: 409,
  in_progress: 409,
  offset_mismatch: 409,
  gone: 410,
  length_required: 411,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  misdirected: 421,
  digest_mismatch: 422,
  key_reused: 422,
  locked: 423,
  too_many_requests: 429,
  internal: 500,
  read_only: 503,
  busy: 503,
  disk_full: 507,
} as const

export type ErrorCode = keyof typeof errorStatus

export const problemSchema = z.object({
  success: z.literal(false),
  /** What happened, why, and what to do, for people. */
  error: z.string(),
  code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
  /** The input that is wrong, where it is one. */
  field: z.string().optional(),
  /** A value that this input would take instead, where the host knows one. */
  suggestion: z.union([z.string(), z.number()]).optional(),
})

/** The body of every reply that is not 2xx. */
export type Problem = z.infer<typeof problemSchema>
