import { Readable } from 'node:stream'

/**
 * Sent without asking for bandwidth again: with the least that a person can set, 1 KiB/s, that is
 * no silence.
 */
const SEND_BYTES = 8 * 1024
/** The size of a slice while bandwidth is granted immediately: each slice costs time. */
const SEND_BYTES_AT_ONCE = 128 * 1024
const AT_ONCE_MS = 5

/** Waits until so many bytes may move. Must not throw. */
export type SendPace = (bytes: number) => Promise<void> | undefined

/** A stream of these bytes, as fast as `pace` allows. */
export function sendPaced(bytes: Buffer, pace?: SendPace): Readable {
  const options = { objectMode: false, highWaterMark: SEND_BYTES_AT_ONCE }
  return Readable.from(paceSlices(bytes, pace), options)
}

async function* paceSlices(bytes: Buffer, pace: SendPace | undefined): AsyncGenerator<Buffer> {
  let most = SEND_BYTES
  for (let at = 0; at < bytes.length;) {
    const slice = bytes.subarray(at, at + most)
    const askedAt = performance.now()
    const allowance = pace?.(slice.length)
    if (allowance !== undefined) await allowance

    const hasWaited = allowance !== undefined && performance.now() - askedAt >= AT_ONCE_MS
    most = hasWaited ? SEND_BYTES : Math.min(2 * most, SEND_BYTES_AT_ONCE)

    at += slice.length
    yield slice
  }
}
