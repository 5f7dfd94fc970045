import { createHash, randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { problem, replyOf } from '../../support/network/reply'
import { aFile, aUser } from '../../support/world/factories'
import { test as base } from '../../support/world/http'

const bytes = randomBytes(300_000)
const sha256 = createHash('sha256').update(bytes).digest()
const etag = `"${sha256.toString('hex')}"`

/** A server with one public file of 300,000 bytes, and how to ask for it. */
const test = base.extend<{
  ask: (headers?: Record<string, string>, method?: string) => Promise<Response>
}>({
  ask: async ({ server }, use) => {
    const file = await aFile(server, await aUser(server, 'alice'), {
      filename: 'rocket.apk',
      bytes,
      is_public: true,
    })
    await use((headers = {}, method = 'GET') =>
      server.fetch(`/api/files/${file.file_id}/download`, { method, headers }),
    )
  },
})

const bodyOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

test('a whole file has type, length, digest, validators, unchanged', async ({ ask }) => {
  const response = await ask()

  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/vnd.android.package-archive',
    'content-length': '300000',
    'content-disposition': 'attachment; filename="rocket.apk"',
    'accept-ranges': 'bytes',
    'repr-digest': `sha-256=:${sha256.toString('base64')}:`,
    'content-digest': `sha-256=:${sha256.toString('base64')}:`,
    'cache-control': 'public, no-cache, no-transform',
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'last-modified': 'Wed, 02 Jan 2030 03:04:07 GMT',
    etag,
  })
  expect((await bodyOf(response)).equals(bytes)).toBe(true)
})

test('HEAD answers as GET does, without the bytes and with any Range', async ({ ask }) => {
  const head = await ask({ range: 'bytes=0-9' }, 'HEAD')
  const get = await ask()
  await get.arrayBuffer()
  const hop = ['date', 'connection', 'keep-alive']
  const headers = ({ headers }: Response) =>
    Object.fromEntries([...headers].filter(([name]) => !hop.includes(name)))

  expect(head.status).toBe(200)
  expect(headers(head)).toEqual(headers(get))
})

test('a single range is a part of the file, with the digest of the whole', async ({ ask }) => {
  const response = await ask({ range: 'bytes=100-299', 'if-range': etag })

  expect(response.status).toBe(206)
  expect(response.headers.get('content-range')).toBe('bytes 100-299/300000')
  expect(response.headers.get('content-length')).toBe('200')
  expect(response.headers.get('repr-digest')).toBe(`sha-256=:${sha256.toString('base64')}:`)
  expect((await bodyOf(response)).equals(bytes.subarray(100, 300))).toBe(true)
})

test('several ranges come as multipart/byteranges, in the order asked', async ({ ask }) => {
  const response = await ask({ range: 'bytes=299990-,0-9,200000-200099' })
  const boundary =
    /^multipart\/byteranges; boundary=(\w+)$/.exec(
      response.headers.get('content-type') ?? '',
    )?.[1] ?? ''
  const part = (start: number, end: number) =>
    Buffer.concat([
      Buffer.from(`\r\n--${boundary}\r\nContent-Type: application/vnd.android.package-archive\r\n`),
      Buffer.from(`Content-Range: bytes ${start}-${end}/300000\r\n\r\n`),
      bytes.subarray(start, end + 1),
    ])
  const body = [
    part(299_990, 299_999),
    part(0, 9),
    part(200_000, 200_099),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]

  expect(response.status).toBe(206)
  expect(response.headers.get('content-range')).toBeNull()
  expect(response.headers.get('content-length')).toBe(String(Buffer.concat(body).length))
  expect((await bodyOf(response)).equals(Buffer.concat(body))).toBe(true)
})

test('a range behind the end answers 416 and says how long the file is', async ({ ask }) => {
  const response = await ask({ range: 'bytes=300000-' })

  expect(response.headers.get('content-range')).toBe('bytes */300000')
  expect(response.headers.get('etag')).toBeNull()
  expect(await replyOf(response)).toEqual(problem('range_not_satisfiable'))
})

test('answers 304 to a client with the file, 412 to one that expects another', async ({ ask }) => {
  const unchanged = await ask({ 'if-none-match': `"x", W/${etag}` })
  const other = await ask({ 'if-match': '"x"' })

  expect(unchanged.status).toBe(304)
  expect(unchanged.headers.get('etag')).toBe(etag)
  expect(unchanged.headers.get('content-length')).toBeNull()
  expect(await replyOf(other)).toEqual(problem('precondition_failed'))
})
