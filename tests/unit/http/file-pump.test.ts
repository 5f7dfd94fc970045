import { randomBytes } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { FilePump } from '../../../server/http/send/file-pump'
import { ConnectionLost } from '../../../server/core/errors'
import { Outlet } from '../../../server/http/send/outlet'
import type { ByteRange } from '../../../server/http/send/range'
import { SharedBlocks } from '../../../server/http/send/shared-blocks'
import { SlabPool } from '../../../server/http/send/slab-pool'

/** A disk that gives at most `most` bytes at a time. */
function disk(bytes: Buffer, most = Infinity): FileHandle {
  const read = async (target: Buffer, offset: number, length: number, position: number) => {
    const part = bytes.subarray(position, position + Math.min(length, most))
    part.copy(target, offset)
    return { bytesRead: part.length, buffer: target }
  }
  return { read } as unknown as FileHandle
}

/** A server that answers each request by `serve`; returns how to ask it. */
async function serving(serve: (response: ServerResponse) => Promise<void>): Promise<() => Promise<IncomingMessage>> {
  const server = createServer((_request, response) => void serve(response))
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return () => new Promise((resolve) => get({ port, host: '127.0.0.1', agent: false }, resolve))
}

interface Setup {
  file: FileHandle
  ranges: ByteRange[]
  pool?: SlabPool
}

/** Sends the ranges to one client; what became of it is in `outcome`. */
async function pumping({ file, ranges, pool = new SlabPool() }: Setup) {
  const delivered: ByteRange[] = []
  const outcome = Promise.withResolvers<unknown>()
  const blocks = new SharedBlocks(pool)
  const ask = await serving(async (response) => {
    response.setHeader(
      'Content-Length',
      ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0),
    )
    const means = { blocks, flow: { take: (bytes: number) => bytes } }
    const pump = new FilePump({ name: 'file', source: file }, new Outlet(response, () => undefined), means)
    try {
      for (const range of ranges) await pump.send(range, (range, isSure) => isSure && delivered.push(range))
      pump.release('sent')
      response.end()
      outcome.resolve('sent')
    } catch (cause) {
      pump.release('failed')
      response.destroy()
      outcome.resolve(cause)
    }
  })
  return { ask, delivered, outcome: outcome.promise, pool }
}

const bytes = randomBytes(5_000_011)

test.each([Infinity, 70_001, 1000])(
  'ranges arrive byte for byte from a disk that returns %s bytes at a time',
  async (most) => {
    const ranges = [
      { start: 0, end: bytes.length - 1 },
      { start: 4_999_000, end: 5_000_010 },
      { start: 17, end: 17 },
    ]
    const { ask, delivered, pool } = await pumping({ file: disk(bytes, most), ranges })
    const got = await buffer(await ask())

    expect(got.equals(Buffer.concat(ranges.map(({ start, end }) => bytes.subarray(start, end + 1))))).toBe(true)
    expect(delivered).toEqual(ranges)
    expect(pool.lent).toBe(0)
  },
)

test('a client that reads slowly and in bursts gets the same bytes', async () => {
  const { ask } = await pumping({ file: disk(bytes), ranges: [{ start: 0, end: bytes.length - 1 }] })
  const response = await ask()
  const got: Buffer[] = []
  for await (const chunk of response) {
    got.push(chunk as Buffer)
    if (got.length % 20 === 0) await pause(15)
  }

  expect(Buffer.concat(got).equals(bytes)).toBe(true)
})

test('never pads a file that is shorter than expected', async () => {
  const { ask, outcome, delivered } = await pumping({ file: disk(bytes), ranges: [{ start: 0, end: 9_999_999 }] })
  const response = await ask()
  const got: Buffer[] = []
  const reading = async () => {
    for await (const chunk of response) got.push(chunk as Buffer)
  }

  await expect(reading()).rejects.toThrow('aborted')
  expect(String(await outcome)).toContain('shorter than its record')
  expect(Buffer.concat(got).equals(bytes.subarray(0, Buffer.concat(got).length))).toBe(true)
  expect(delivered.length).toBeLessThanOrEqual(1)
})

test('a client that stops for a while holds one slab, and then gets the same bytes', async () => {
  const { ask, pool } = await pumping({ file: disk(bytes), ranges: Array(4).fill({ start: 0, end: bytes.length - 1 }) })
  const response = await ask()
  await pause(600)
  await expect.poll(() => pool.lent).toBeLessThanOrEqual(512 * 1024)
  const got = await buffer(response)

  expect(got.equals(Buffer.concat(Array<Buffer>(4).fill(bytes)))).toBe(true)
  expect(pool.lent).toBe(0)
})

test('many concurrent readers get the same bytes from shared reads, even when some leave', async () => {
  let read = 0
  const whole = disk(bytes)
  const counting = async (...args: Parameters<FileHandle['read']>) => {
    const got = await whole.read(...args)
    read += got.bytesRead
    return got
  }
  const file = { read: counting } as unknown as FileHandle
  const { ask, pool } = await pumping({ file, ranges: [{ start: 0, end: bytes.length - 1 }] })
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

  expect(read).toBeLessThan(bytes.length * 8)
  await expect.poll(() => pool.lent).toBe(0)
})

test('when the client leaves, sending fails at once and the memory is not reused', async () => {
  const pool = new SlabPool()
  const endless = { start: 0, end: 2 ** 40 }
  const file = { read: async (target: Buffer) => ({ bytesRead: target.length, buffer: target }) }
  const { ask, outcome, delivered } = await pumping({ file: file as unknown as FileHandle, ranges: [endless], pool })
  const response = await ask()
  await pause(50)
  response.destroy()

  expect(await outcome).toBeInstanceOf(ConnectionLost)
  expect(pool.lent).toBe(0)
  expect(delivered).toEqual([{ start: 0, end: expect.any(Number) }])
})
