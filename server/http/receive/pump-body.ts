import type { Readable, Writable } from 'node:stream'

/**
 * Moves the body of a request into a stream, as fast as that takes it, and returns when the body is over. The stream is
 * not ended, and whatever fails, neither side is destroyed: the client can still be answered, and what has come can be
 * kept. Throws what the stream fails with, and an error with code ECONNRESET for a body that was cut short.
 */
export function pumpBody(from: Readable, into: Writable): Promise<void> {
  const over = Promise.withResolvers<undefined>()
  const take = (chunk: Buffer) => {
    if (!into.write(chunk)) from.pause()
  }
  const goOn = () => from.resume()
  const end = () => over.resolve(undefined)
  const fail = (error: Error) => over.reject(error)
  const cut = () => fail(Object.assign(new Error('The body of the request was cut short'), { code: 'ECONNRESET' }))
  from.on('data', take).on('end', end).on('error', cut).on('close', cut)
  into.on('drain', goOn).on('error', fail)
  if (into.errored) fail(into.errored)
  if (from.destroyed && !from.readableEnded) cut()
  return over.promise.finally(() => {
    from.off('data', take).off('end', end).off('close', cut).pause()
    into.off('drain', goOn).off('error', fail)
  })
}
