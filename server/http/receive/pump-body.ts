import type { Readable, Writable } from 'node:stream'
import type { Context } from 'koa'
import { AppError } from '../../core/errors'
import { releaseMemory } from '../../data/blobs/file-writer'

/** Answers `Expect: 100-continue` (RFC 9110 §10.1.1), so that the client sends the body. */
export function continueBody(ctx: Context): void {
  if (ctx.get('expect').toLowerCase() === '100-continue') ctx.res.writeContinue()
}

/** Returns a promise when the source must wait after these bytes. */
export type Pace = (bytes: number) => Promise<void> | undefined

interface PumpOptions {
  pace?: Pace | undefined
  /** Releases each chunk once the stream has written it: nothing else may read it. */
  ownsChunks?: boolean
}

/**
 * Pipes a request body into a stream with backpressure, and returns at its end. Neither side is
 * ended or destroyed, even on failure: the client can still get a reply, and received bytes stay.
 * Throws the error of the stream, or ECONNRESET for a truncated body.
 */
export function pumpBody(
  from: Readable,
  into: Writable,
  { pace, ownsChunks }: PumpOptions = {},
): Promise<void> {
  const over = Promise.withResolvers<undefined>()
  let isPaced = false
  let isOver = false

  const take = (chunk: Buffer) => {
    // The stream reads the length of a chunk after its callback.
    const written =
      ownsChunks === true ? () => void setImmediate(releaseMemory, [chunk]) : undefined
    if (!into.write(chunk, written)) from.pause()

    const allowance = pace?.(chunk.length)
    if (allowance === undefined) return
    isPaced = true
    from.pause()

    void allowance.then(() => {
      isPaced = false
      resume()
    })
  }

  const resume = () => {
    if (!isPaced && !isOver && !into.writableNeedDrain) from.resume()
  }

  const end = () => over.resolve(undefined)
  const fail = (error: Error) => over.reject(error)
  const cut = () =>
    fail(Object.assign(new Error('The body of the request was cut short'), { code: 'ECONNRESET' }))

  from.on('data', take).on('end', end).on('error', cut).on('close', cut)
  into.on('drain', resume).on('error', fail)
  if (into.errored) fail(into.errored)
  if (from.destroyed && !from.readableEnded) cut()

  return over.promise.finally(() => {
    isOver = true
    from.off('data', take).off('end', end).off('close', cut).pause()
    into.off('drain', resume).off('error', fail)
  })
}

/** Returns the declared length of the body, in bytes; 0 if chunked. Throws `length_required`. */
export function declaredBytes(ctx: Context): number {
  const declared = ctx.get('content-length')
  if (declared !== '') return Number(declared)
  if (ctx.get('transfer-encoding') !== '') return 0
  throw new AppError('length_required', 'Send a Content-Length or a chunked body')
}
