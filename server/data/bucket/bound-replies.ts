import type { S3Client } from '@aws-sdk/client-s3'
import { pipeline, Readable, Transform, type TransformCallback } from 'node:stream'
import { BucketError } from './bucket-error'

/**
 * How many bytes a reply without an object may have, and how long it may take and be silent, in ms.
 */
export const LIMITS = { bytes: 1024 * 1024, ms: 60_000, silenceMs: 30_000 }

/** The options of an SDK call. */
export interface Options {
  abortSignal: AbortSignal
}

/** More time for a call that sends or reads much. */
export interface Time {
  /**
   * Resolves when the request is sent, which starts the timer; undefined: starts it immediately.
   */
  isSent?: Promise<unknown>
  moreMs?: number
}

/**
 * Runs a call, and aborts it after `ms`: a store that sends a byte now and then is never silent.
 * Throws BucketError on a timeout, and rethrows errors of the call.
 */
export async function endInTime<T>(
  ms: number,
  signal: AbortSignal | undefined,
  call: (options: Options) => Promise<T>,
  { isSent, moreMs = 0 }: Time = {},
): Promise<T> {
  const late = new AbortController()
  const abortSignal = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal])
  let timer: NodeJS.Timeout | undefined

  const begin = () => (timer = setTimeout(() => late.abort(), ms + moreMs).unref())
  if (isSent) void isSent.then(begin)
  else begin()

  try {
    return await call({ abortSignal })
  } catch (cause) {
    throw late.signal.aborted ? new BucketError('slow', 'The answer does not end') : cause
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Ends replies that have more bytes than this: the SDK keeps each reply in memory. The caller reads
 * and bounds the objects of GetObject.
 */
export function boundReplies(client: S3Client, mostBytes: number): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const result = await next(args)
        const response = result.response as { statusCode: number; body?: unknown }
        const isObject = commandName === 'GetObjectCommand' && response.statusCode < 300
        if (!isObject && response.body instanceof Readable)
          response.body = boundBody(response.body, mostBytes)
        return result
      },
    // The lowest priority of this step sees the reply before the SDK reads it.
    { name: 'boundReplies', step: 'deserialize', priority: 'low' },
  )
}

function boundBody(body: Readable, mostBytes: number): Readable {
  let remaining = mostBytes
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      remaining -= chunk.length
      if (remaining >= 0) done(null, chunk)
      else done(new BucketError('rejected', 'The answer of the server is too long'))
    },
  })
  // The reader of the counter gets the error.
  return pipeline(body, counter, () => undefined)
}
