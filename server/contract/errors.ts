import { z } from 'zod'

/** Status by error code (RFC 9110 §15). Codes are stable; texts are for people. */
export const errorStatus = {
  invalid_input: 400,
  file_missing: 400,
  sign_in_required: 401,
  bad_credentials: 401,
  bad_api_key: 401,
  forbidden: 403,
  https_required: 403,
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
  in_use: 409,
  no_host_account: 409,
  rate_limits_off: 409,
  terms_needed: 409,
  not_shared: 409,
  internet_closed: 409,
  mirror_off: 409,
  offset_mismatch: 409,
  build_mismatch: 409,
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
  /** The message: what happened, why, and what to do. */
  error: z.string(),
  code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
  /** The invalid input, if any. */
  field: z.string().optional(),
  /** A value that the input would accept, if known. */
  suggestion: z.union([z.string(), z.number()]).optional(),
})

/** The body of every error reply. */
export type Problem = z.infer<typeof problemSchema>
