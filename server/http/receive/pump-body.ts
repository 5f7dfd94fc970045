import type { Readable, Writable } from 'node:stream'

/** Returns a promise where the source has to wait after so many bytes. */
export type Pace = (bytes: number) => Promise<void> | undefined

/**
 * Moves the body of a request into a stream, as fast as that takes it, and returns when the body is over. The stream is
 * not ended, and whatever fails, neither side is destroyed: the client can still be answered, and what has come can be
 * kept. `pace` may delay the chunk after so many bytes. Throws what the stream fails with, and an error with code
 * ECONNRESET for a body that was cut short.
 */
export function pumpBody(from: Readable, into: Writable, pace?: Pace): Promise<void> {
  const over = Promise.withResolvers<undefined>()
  let isPaced = false
  let isOver = false
  const take = (chunk: Buffer) => {
    if (!into.write(chunk)) from.pause()
    const turn = pace?.(chunk.length)
    if (turn === undefined) return
    isPaced = true
    from.pause()
    void turn.then(() => {
      isPaced = false
      resume()
    })
  }
  const resume = () => {
    if (!isPaced && !isOver && !into.writableNeedDrain) from.resume()
  }
  const end = () => over.resolve(undefined)
  const fail = (error: Error) => over.reject(error)
  const cut = () => fail(Object.assign(new Error('The body of the request was cut short'), { code: 'ECONNRESET' }))
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
