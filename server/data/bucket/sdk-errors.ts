import { systemWords } from '../../core/system-words'
import { BucketError, toBucketError } from './bucket-error'

/** The fields of the SDK's errors; `$response` is hidden from enumeration. */
interface SdkError extends Error {
  Code?: string
  code?: string
  $metadata?: { httpStatusCode?: number }
  $response?: { statusCode?: number; headers?: Record<string, string> }
}

/** The message for a reply that lacks what S3 requires. */
export const NOT_S3 = 'The server did not answer as an S3-compatible store does'

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
  if (!isSdkError(cause)) return toBucketError({ code: '', message: String(cause) }, secrets)
  const status = statusOf(cause)
  if (status === undefined) {
    const isSilence = /of inactivity/.test(cause.message)
    const message = isSilence ? 'No byte for 30 s' : messageOf(cause)
    return toBucketError({ code: codeOf(cause), message, isSilence }, secrets)
  }
  // The SDK's words for an answer in another format.
  const isOther = /Deserialization error/.test(cause.message)
  if (isOther && status < 300) return new BucketError('rejected', NOT_S3)
  const reason = isOther
    ? { code: '', message: '' }
    : { code: codeOf(cause), message: cause.message }
  return toBucketError({ status, ...reason, date: cause.$response?.headers?.['date'] }, secrets)
}

function messageOf(cause: SdkError): string {
  if (cause.name === 'TimeoutError') return 'No connection within 5 s'
  // A name with several addresses fails with an error for each.
  if (cause instanceof AggregateError)
    return cause.errors.map((each) => messageOf(each as SdkError)).join(', ')
  return systemWords(cause)
}
