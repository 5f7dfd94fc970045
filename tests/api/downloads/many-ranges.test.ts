import { randomBytes } from 'node:crypto'
import { describe, expect } from 'vitest'
import { aFile, aUser } from '../../support/world/factories'
import { RawClient } from '../../support/network/raw-client'
import { test as base } from '../../support/world/http'

const SIZE = 4 * 1024 * 1024
const bytes = randomBytes(SIZE)

interface Ranges {
  /** Downloads the file, or a zip with it, with a raw request; undefined ranges are left out. */
  ask: (ranges: readonly string[], what?: 'file' | 'zip') => ReturnType<RawClient['reply']>
}

const test = base.extend<Ranges>({
  ask: async ({ server }, use) => {
    const file = await aFile(server, await aUser(server, 'alice'), {
      filename: 'rocket.bin',
      bytes,
      is_public: true,
    })
    const paths = {
      file: `/api/files/${file.file_id}/download`,
      zip: `/api/files/zip/download?ids=${file.file_id}`,
    }
    const clients: RawClient[] = []
    await use(async (ranges, what = 'file') => {
      const client = await RawClient.connect(server.port)
      clients.push(client)
      return client
        .head(server.port, `GET ${paths[what]}`, { Range: `bytes=${ranges.join(', ')}` })
        .reply()
    })
    for (const client of clients) client.close()
  },
})

/** So many ranges of equal length with gaps between them, from the start of the file. */
const rangesOf = (count: number, length: number): { start: number; end: number }[] =>
  Array.from({ length: count }, (_, index) => {
    const start = Math.floor(index * (SIZE / count))
    return { start, end: start + length - 1 }
  })

const written = (ranges: ReturnType<typeof rangesOf>) =>
  ranges.map(({ start, end }) => `${start}-${end}`)

/** The body that RFC 9110 §14.6 prescribes, as latin1. */
function multipart(boundary: string, ranges: ReturnType<typeof rangesOf>): string {
  const parts = ranges.map(
    ({ start, end }) =>
      `--${boundary}\r\nContent-Type: application/octet-stream\r\nContent-Range: bytes ${start}-${end}/${SIZE}\r\n\r\n` +
      bytes.subarray(start, end + 1).toString('latin1'),
  )
  return `\r\n${parts.join('\r\n')}\r\n--${boundary}--\r\n`
}

describe('many ranges of one file', () => {
  test.for([
    ['500 blocks of 4 KB', rangesOf(500, 4096)],
    ['512 single bytes, last first', rangesOf(512, 1).reverse()],
  ] as const)('%s arrive byte for byte, with the announced length', async ([, ranges], { ask }) => {
    const { status, headers, body } = await ask(written(ranges))
    const boundary =
      /^multipart\/byteranges; boundary=(\w+)$/.exec(headers['content-type'] ?? '')?.[1] ?? ''
    const expected = multipart(boundary, ranges)

    expect([status, headers['content-range']]).toEqual([206, undefined])
    expect(headers['content-length']).toBe(String(expected.length))
    // Not `toBe`, whose difference of megabytes takes minutes to print.
    expect(body === expected).toBe(true)
  })

  test('a zip takes at most 64 ranges, because each opens files', async ({ ask }) => {
    expect((await ask(written(rangesOf(64, 1)), 'zip')).status).toBe(206)
    expect((await ask(written(rangesOf(65, 1)), 'zip')).status).toBe(200)
  })

  test('refuses headers above 16 KiB with 431, and answers the next request', async ({ ask }) => {
    expect((await ask(written(rangesOf(1000, 10)))).status).toBe(431)
    expect((await ask(['0-9'])).status).toBe(206)
  })
})
