import { z } from 'zod'
import { endpoint } from '../endpoint'
import { describe, id, time } from '../fields'
import { bucketSettings } from '../host-settings/bucket'
import { describeSettings, storedSettings } from '../host-settings/setting'

/**
 * Why a call to the bucket failed. `clock`: this computer's clock differs too much. `busy`: the
 * store asks for a pause.
 */
export const bucketProblems = [
  'unreachable',
  'slow',
  'key_refused',
  'no_permission',
  'no_bucket',
  'clock',
  'redirects',
  'busy',
  'full',
  'rejected',
] as const

const NO_KEY = 'Enter the key as the provider shows it, without spaces'

const { endpoint: endpointField, bucket } = describeSettings(bucketSettings)
export const bucketChoiceSchema = z.object({
  ...storedSettings(bucketSettings),
  endpoint: endpointField,
  bucket,
})
export type BucketChoice = z.output<typeof bucketChoiceSchema>

const key = (max: number) =>
  z
    .string()
    .trim()
    .max(max, NO_KEY)
    .regex(/^[\x21-\x7e]+$/, NO_KEY)

/** The keys of the bucket, which never leave the host. */
export const bucketKeyFields = { access_key_id: key(128), secret_access_key: key(256) }

/** A file whose copy needs attention. */
const troubledSchema = z.object({
  file_id: id,
  filename: z.string(),
  /**
   * `damaged`: its bytes on disk are not those that were uploaded. `late`: it is no longer public,
   * but its copy could not be deleted yet, so addresses of the last `seconds` may still work.
   * `failed`: copying failed and is retried.
   */
  trouble: z.enum(['damaged', 'late', 'failed']),
  since: time,
})

export const bucketSchema = z.object({
  /**
   * `checking`: no answer from the bucket since the start or the last change, so this host sends
   * the downloads. `failing`: see `problem`; this host sends the downloads. `switching_off`: copies
   * are being deleted.
   */
  state: z.enum(['off', 'checking', 'copying', 'complete', 'failing', 'switching_off']),
  /** `keys_missing`: the host was restored from a backup, and backups contain no keys. */
  problem: z
    .object({
      kind: z.enum([...bucketProblems, 'keys_missing']),
      since: time,
      /** The error message of the store, or null. */
      detail: z.string().nullable(),
      /** Seconds by which this computer's clock is ahead of the store's. Null if unknown. */
      clock_off_s: z.int().nullable(),
    })
    .nullable(),
  /** Null: never set up. Stays after switching off. */
  choice: bucketChoiceSchema.nullable(),
  keys_set: z.boolean(),
  /** Whether `--bucket-config` sets it. Then it can only be switched off, for this run. */
  overridden: z.boolean(),
  copies: z.object({
    /** Public files of at least `least_bytes`. */
    wanted: z.int(),
    there: z.int(),
    wanted_bytes: z.int(),
    there_bytes: z.int(),
    /** Copies that are being deleted. */
    revoking: z.int(),
    damaged: z.int(),
  }),
  running: z.array(z.object({ file_id: id, filename: z.string(), size: z.int(), sent: z.int() })),
  /** At most 20, oldest first. */
  troubled: z.array(troubledSchema),
  /**
   * Totals of this month, such as `2026-11`. `redirected_bytes` is an estimate, as the bucket does
   * not report what it sends.
   */
  month: z.object({
    month: z.string(),
    copied_bytes: z.int(),
    redirects: z.int(),
    redirected_bytes: z.int(),
  }),
  /** Comparing all copies with their records. */
  check: z.object({
    running: z.object({ done: z.int(), total: z.int() }).nullable(),
    last: z.object({ at: time, checked: z.int(), missing: z.int(), altered: z.int() }).nullable(),
  }),
})
export type BucketView = z.infer<typeof bucketSchema>

export const testStepSchema = z.object({
  step: z.enum(['put', 'read', 'head', 'delete']),
  state: z.enum(['done', 'failed', 'skipped']),
  problem: z.enum(bucketProblems).nullable(),
  /** The error message of the store, or null. */
  detail: z.string().nullable(),
})
export type BucketTestStep = z.infer<typeof testStepSchema>

const setUpInput = bucketChoiceSchema.extend({
  /**
   * Send both keys or none. None keeps the stored keys, which are valid for the same endpoint only.
   */
  access_key_id: describe(
    bucketKeyFields.access_key_id.optional(),
    'The key of the bucket; without it, the stored keys for the same endpoint',
    'f4Tn8cWq2ZpL',
  ),
  secret_access_key: bucketKeyFields.secret_access_key.optional().meta({
    description: 'The secret of that key; no reply contains it',
    examples: ['wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'],
  }),
})
export type BucketInput = z.output<typeof setUpInput>

const reply = z.object({ mirror: bucketSchema })

export const mirror = {
  show: endpoint('GET', '/api/host/mirror', {
    summary: 'Downloads from a bucket: its settings without keys, the copies, and any problem',
    access: 'host',
    input: z.object({}),
    reply,
  }),
  setUp: endpoint('PUT', '/api/host/mirror', {
    summary:
      'Send big public downloads from an S3-compatible bucket; copying begins after the reply',
    access: 'host',
    input: setUpInput,
    reply,
    errors: ['forbidden'],
  }),
  test: endpoint('POST', '/api/host/mirror/test', {
    summary:
      'Write, read and delete a small object in a bucket, and say which step fails; stores nothing',
    access: 'host',
    input: setUpInput,
    reply: z.object({ steps: z.array(testStepSchema) }),
  }),
  verify: endpoint('POST', '/api/host/mirror/verify', {
    summary: 'Compare all copies with their records; the reply comes when it has begun',
    access: 'host',
    input: z.object({
      read_data: z
        .boolean('Use true or false')
        .default(false)
        .describe('Whether to read and hash the copies too, which the provider may charge for'),
    }),
    reply,
    errors: ['mirror_off', 'in_progress'],
  }),
  switchOff: endpoint('DELETE', '/api/host/mirror', {
    summary:
      'Send all downloads from this host again, and delete or keep the copies; forgets the ' +
      'keys afterwards',
    access: 'host',
    input: z.object({
      copies: z
        .enum(['delete', 'keep'])
        .describe('Whether to delete the copies in the bucket or to keep them'),
    }),
    reply,
  }),
}
