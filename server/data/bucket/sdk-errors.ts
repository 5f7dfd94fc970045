import { systemWords } from '../../core/system-words'
import { bucketErrorOf, type BucketError } from './bucket-error'

/** What the SDK's errors have; `$response` is hidden from enumeration. */
interface SdkError extends Error {
  Code?: string
  code?: string
  $metadata?: { httpStatusCode?: number }
  $response?: { statusCode?: number; headers?: Record<string, string> }
}

const isSdkError = (cause: unknown): cause is SdkError => cause instanceof Error

/** The status of the answer; undefined: there was none. */
export const statusOf = (cause: unknown): number | undefined =>
  isSdkError(cause) ? (cause.$metadata?.httpStatusCode ?? cause.$response?.statusCode) : undefined

/** S3's error code, such as `NoSuchKey`, or that of the system. */
export const codeOf = (cause: unknown): string => {
  if (!isSdkError(cause)) return ''
  return statusOf(cause) === undefined ? (cause.code ?? '') : (cause.Code ?? cause.name)
}

/** Classifies what a call of the SDK threw. */
export function bucketErrorOfSdk(cause: unknown, secrets: readonly string[]): BucketError {
  if (!isSdkError(cause)) return bucketErrorOf({ code: '', message: String(cause) }, secrets)
  const status = statusOf(cause)
  if (status === undefined) {
    const isSilence = /of inactivity/.test(cause.message)
    const message = isSilence ? 'No byte for 30 s' : messageOf(cause)
    return bucketErrorOf({ code: codeOf(cause), message, isSilence }, secrets)
  }
  const isParsed = !(cause instanceof SyntaxError)
  const date = cause.$response?.headers?.['date']
  return bucketErrorOf(
    { status, code: isParsed ? codeOf(cause) : '', message: isParsed ? cause.message : '', date },
    secrets,
  )
}

function messageOf(cause: SdkError): string {
  if (cause.name === 'TimeoutError') return 'No connection within 5 s'
  // A name with several addresses fails with an error for each.
  if (cause instanceof AggregateError) return cause.errors.map((each) => messageOf(each as SdkError)).join(', ')
  return systemWords(cause)
}
