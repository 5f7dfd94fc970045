import type { bucketProblems } from '../../contract/host/bucket'

export type BucketProblem = (typeof bucketProblems)[number]

/** Every failure of a call to the bucket. */
export class BucketError extends Error {
  override readonly name = 'BucketError'

  constructor(
    readonly kind: BucketProblem,
    /** The store's own message without our keys; can be empty. */
    readonly detail: string,
    /** How far this computer's clock is ahead of the store's. */
    readonly clockOffMs?: number,
  ) {
    super(`The bucket: ${kind}${detail === '' ? '' : `: ${detail}`}`)
  }
}

/** Null for a rejected question, which concerns one object only. Throws other errors. */
export function nullIfRejected(error: unknown): null {
  if (error instanceof BucketError && error.kind === 'rejected') return null
  throw error
}

/** The bytes on disk are not those of the record. The upload was aborted. */
export class DamagedError extends Error {
  override readonly name = 'DamagedError'
}

/** How a call failed: the answer of the store, or, without a status, why there was none. */
export interface Refusal {
  status?: number | undefined
  /** S3's error code, such as `NoSuchBucket`, or that of the system, such as `ECONNREFUSED`. */
  code: string
  message: string
  /** The `Date` of the answer. */
  date?: string | undefined
  /** How long after its signing the store accepts what was sent, in ms. */
  validMs?: number
  /** The connection was silent. */
  isSilence?: boolean
}

const MOST_CHARACTERS = 300
/**
 * S3 refuses requests that were signed so long before or after its own time, in ms. An address says
 * itself how long before.
 */
const CLOCK_LIMIT_MS = 15 * 60_000

/** By code (Amazon S3 API reference, "Error responses"; Ceph, MinIO and Backblaze B2 add some). */
const byCode: Record<string, BucketProblem> = {
  RequestTimeTooSkewed: 'clock',
  InvalidAccessKeyId: 'key_refused',
  SignatureDoesNotMatch: 'key_refused',
  ExpiredToken: 'key_refused',
  InvalidToken: 'key_refused',
  Unauthorized: 'key_refused',
  NoSuchBucket: 'no_bucket',
  PermanentRedirect: 'redirects',
  TemporaryRedirect: 'redirects',
  Redirect: 'redirects',
  SlowDown: 'busy',
  TooManyRequests: 'busy',
  RequestLimitExceeded: 'busy',
  OperationAborted: 'busy',
  NotImplemented: 'rejected',
  RequestTimeout: 'slow',
  QuotaExceeded: 'full',
  InsufficientCapacity: 'full',
  XMinioStorageFull: 'full',
  cap_exceeded: 'full',
  storage_cap_exceeded: 'full',
}

/** Classifies a refusal by what a person can do about it. Removes `secrets` from its message. */
export function toBucketError(refusal: Refusal, secrets: readonly string[]): BucketError {
  const sent = Date.parse(refusal.date ?? '')
  const clockOffMs = Number.isNaN(sent) ? undefined : Date.now() - sent
  const detail = describeRefusal(refusal, secrets)
  return new BucketError(classifyRefusal(refusal, clockOffMs ?? 0), detail, clockOffMs)
}

function classifyRefusal(refusal: Refusal, clockOffMs: number): BucketProblem {
  const { status, code, isSilence = false, validMs = CLOCK_LIMIT_MS } = refusal
  if (status === undefined) return isSilence ? 'slow' : 'unreachable'
  // The answer to a HEAD has no code.
  const isOutOfTime = clockOffMs > CLOCK_LIMIT_MS || -clockOffMs > validMs
  if (status === 403 && byCode[code] === undefined && isOutOfTime) return 'clock'
  return byCode[code] ?? byStatus(status)
}

function byStatus(status: number): BucketProblem {
  if (status >= 300 && status < 400) return 'redirects'
  if (status === 401) return 'key_refused'
  if (status === 403) return 'no_permission'
  if (status === 507) return 'full'
  return status === 429 || (status >= 500 && status !== 501) ? 'busy' : 'rejected'
}

function describeRefusal({ status, code, message }: Refusal, secrets: readonly string[]): string {
  // The SDK's name for a refusal without a code.
  const isNamed = code !== '' && !/^unknown/i.test(code) && !message.includes(code)
  const isSaid = message !== '' && !/^unknown(error)?$/i.test(message)
  const words = [isNamed ? code : '', isSaid ? message : '']
    .filter((part) => part !== '')
    .join(': ')

  const plain = secrets.reduce(
    (text, secret) => text.replaceAll(secret, '…'),
    words.replace(/\s+/g, ' ').trim(),
  )

  return (plain === '' && status !== undefined ? `HTTP status ${status}` : plain).slice(
    0,
    MOST_CHARACTERS,
  )
}
