import { randomBytes } from 'node:crypto'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setImmediate as breathe, setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ConnectionLost } from '../../../../server/core/errors'
import { Pump } from '../../../../server/http/send/pump'
import type { ByteRange } from '../../../../server/core/byte-source'
import { SharedBlocks, type Source } from '../../../../server/http/send/shared-blocks'
import { listening } from '../../../support/system/listening'

/** Bytes in memory that count how many of them are read. */
class Memory implements Source {
  readonly name = 'file'
  read = 0

  constructor(private readonly bytes: Buffer) {}

  async fill(into: Buffer, position: number): Promise<void> {
    // As a disk, it lets the other clients ask meanwhile.
    await breathe()
    if (position + into.length > this.bytes.length) throw new Error('too short')
    this.read += this.bytes.copy(into, 0, position)
  }
}

/** A server that answers each request by `serve`; returns how to ask it. */
async function serving(
  serve: (response: ServerResponse) => Promise<void>,
): Promise<() => Promise<IncomingMessage>> {
  const port = await listening(createServer((_request, response) => void serve(response)))
  return () => new Promise((resolve) => get({ port, host: '127.0.0.1', agent: false }, resolve))
}

/** Sends the ranges to each client; `outcome` and `writes` are those of the first. */
async function pumping(
  file: Source,
  ranges: readonly ByteRange[],
  take = (bytes: number) => bytes,
) {
  const writes: string[] = []
  const delivered: ByteRange[] = []
  const outcome = Promise.withResolvers<unknown>()
  const blocks = new SharedBlocks()
  const ask = await serving(async (response) => {
    response.setHeader(
      'Content-Length',
      ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0),
    )
    for (const name of ['write', 'end'] as const) {
      const original = response[name].bind(response) as (...args: unknown[]) => never
      response[name] = (...args: unknown[]) => {
        writes.push(name)
        return original(...args)
      }
    }
    const pump = new Pump(response, blocks, { take }, () => undefined)
    try {
      await pump.send(file, ranges, (range, holdsLease) => holdsLease && delivered.push(range))
      outcome.resolve('sent')
    } catch (cause) {
      response.destroy()
      outcome.resolve(cause)
    }
  })
  return { ask, delivered, outcome: outcome.promise, blocks, writes }
}

const bytes = randomBytes(5_000_011)

const whole = { start: 0, end: bytes.length - 1 }

test.each([Infinity, 70_001, 1000])(
  'ranges arrive byte for byte in shares of at most %s bytes',
  async (most) => {
    const ranges = [whole, { start: 4_999_000, end: 5_000_010 }, { start: 17, end: 17 }]
    const { ask, delivered, blocks } = await pumping(new Memory(bytes), ranges, (wanted) =>
      Math.min(wanted, most),
    )
    const got = await buffer(await ask())

    expect(
      got.equals(Buffer.concat(ranges.map(({ start, end }) => bytes.subarray(start, end + 1)))),
    ).toBe(true)
    expect(delivered).toEqual(ranges)
    expect(blocks.used).toBe(0)
  },
)

test('what fits one block goes out in one write, and ends the response', async () => {
  const { ask, delivered, writes } = await pumping(new Memory(bytes), [{ start: 10, end: 10_009 }])
  const got = await buffer(await ask())

  expect(got.equals(bytes.subarray(10, 10_010))).toBe(true)
  expect(writes).toEqual(['end'])
  expect(delivered).toEqual([{ start: 10, end: 10_009 }])
})

test('more than one block ends after the last one was accepted, so that a server that closes does not cut it', async () => {
  const { ask, outcome, writes } = await pumping(new Memory(bytes), [{ start: 0, end: 100_000 }])
  await buffer(await ask())
  await outcome

  expect(writes).toEqual(['write', 'write', 'end'])
})

test('never pads a file that is shorter than expected', async () => {
  const { ask, outcome, delivered } = await pumping(new Memory(bytes), [
    { start: 0, end: 9_999_999 },
  ])
  const response = await ask()
  const got: Buffer[] = []
  const reading = async () => {
    for await (const chunk of response) got.push(chunk as Buffer)
  }

  await expect(reading()).rejects.toThrow('aborted')
  expect(String(await outcome)).toContain('too short')
  expect(Buffer.concat(got).equals(bytes.subarray(0, Buffer.concat(got).length))).toBe(true)
  expect(delivered.length).toBeLessThanOrEqual(1)
})

test('reads one block ahead of a fast client; one that rests holds one block, and then gets the same bytes', async () => {
  const { ask, blocks, delivered } = await pumping(
    new Memory(bytes),
    Array<ByteRange>(4).fill(whole),
  )
  const response = await ask()
  await expect.poll(() => blocks.used, { interval: 1 }).toBe(2)
  await expect.poll(() => blocks.used).toBe(1)
  const got = await buffer(response)

  expect(got.equals(Buffer.concat(Array<Buffer>(4).fill(bytes)))).toBe(true)
  expect([blocks.used, delivered.length]).toEqual([0, 4])
})

test('many concurrent readers get the same bytes from shared reads, even when some leave', async () => {
  const file = new Memory(bytes)
  const { ask, blocks } = await pumping(file, [whole])
  const clients = Array.from({ length: 12 }, async (_, index) => {
    const response = await ask()
    const got: Buffer[] = []
    for await (const chunk of response) {
      got.push(chunk as Buffer)
      if (index === 3) await pause(1)
      if (index > 8) return response.destroy()
    }
    expect(Buffer.concat(got).equals(bytes)).toBe(true)
    return undefined
  })
  await Promise.all(clients)

  expect(file.read).toBeLessThan(bytes.length * 4)
  await expect.poll(() => blocks.used).toBe(0)
})

test('when the client leaves, sending fails at once', async () => {
  const endless: Source = { name: 'endless', fill: () => Promise.resolve() }
  const { ask, outcome, delivered, blocks } = await pumping(endless, [{ start: 0, end: 2 ** 40 }])
  const response = await ask()
  await expect.poll(() => blocks.used).toBe(1)
  response.destroy()

  expect(await outcome).toBeInstanceOf(ConnectionLost)
  expect(blocks.used).toBe(0)
  expect(delivered).toEqual([{ start: 0, end: expect.any(Number) }])
})
