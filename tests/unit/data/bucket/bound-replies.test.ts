import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { S3Calls } from '../../../../server/data/bucket/s3-calls'
import { S3Session } from '../../../../server/data/bucket/s3-session'
import { tryBucket } from '../../../../server/data/bucket/try-bucket'
import { choiceOf, KEYS, server, type Answer } from './a-store'

const CHUNK = Buffer.alloc(64 * 1024, ' ')
/** What the two systems may keep of a reply, besides the limit. */
const BUFFERED = 12 * 1024 * 1024
const signal = new AbortController().signal

/** Writes as long as the client reads. Returns how many bytes there were when the client left. */
async function writeWithoutEnd(response: ServerResponse): Promise<number> {
  const { socket } = response
  const write = (): void => {
    while (response.write(CHUNK));
    response.once('drain', write)
  }
  write()
  await once(response, 'close')
  return socket?.bytesWritten ?? 0
}

/** A store whose replies do not end, and how long each of them was when the client left. */
async function endlessStore(status: number) {
  const written: Promise<number>[] = []
  const { endpoint } = await server((request, response) => {
    if (request.method === 'HEAD') return void response.writeHead(403).end()
    written.push(writeWithoutEnd(response.writeHead(status)))
  })
  const session = new S3Session(choiceOf(endpoint), KEYS)
  return { calls: new S3Calls(session), close: () => session.close(), written }
}

const part = () => ({
  uploadId: 'u',
  number: 1,
  body: Readable.from(['a']),
  length: 1,
  md5: Buffer.alloc(16),
})
const about = { type: 'a/b', disposition: 'attachment', sha256: '0', owner: 'a-host' }
const commands: Record<string, (calls: S3Calls) => Promise<unknown>> = {
  begin: (calls) => calls.begin('key', about, signal),
  putPart: (calls) => calls.putPart('key', part(), signal),
  listParts: (calls) => calls.listParts('key', 'u', signal),
  complete: (calls) => calls.complete('key', 'u', ['"1"'], signal),
  abort: (calls) => calls.abort('key', 'u'),
  remove: (calls) => calls.remove('key'),
  list: (calls) => calls.list().next(),
  uploads: (calls) => calls.uploads().next(),
}

test.each(Object.entries(commands))(
  '%s leaves a store whose reply does not end after 1 MiB',
  async (_, command) => {
    const { calls, close, written } = await endlessStore(200)
    await expect(command(calls)).rejects.toMatchObject({
      kind: 'rejected',
      detail: 'The answer of the server is too long',
    })
    expect(await written[0]).toBeLessThan(BUFFERED)
    close()
  },
)

test('an error without an end is left after 1 MiB too', async () => {
  const { calls, close, written } = await endlessStore(404)
  await expect(calls.head('key')).rejects.toMatchObject({ kind: 'rejected' })
  await expect(calls.hash('key', 10, signal)).rejects.toMatchObject({ kind: 'rejected' })
  expect(Math.max(...(await Promise.all(written)))).toBeLessThan(BUFFERED)
  close()
})

test('an object is read up to its size only, and a longer one has another digest', async () => {
  const { calls, close, written } = await endlessStore(200)
  const digest = createHash('sha256').update(CHUNK).digest('hex')
  expect(await calls.hash('key', CHUNK.length, signal)).not.toBe(digest)
  expect(await written[0]).toBeLessThan(BUFFERED)
  close()
})

test('a reply that never ends is left when its time is over, however little it sends', async () => {
  const { endpoint } = await server((_, response) => void response.write('<'))
  const session = new S3Session(choiceOf(endpoint), KEYS, {
    bytes: 1000,
    ms: 20,
    silenceMs: 30_000,
  })
  const calls = new S3Calls(session)
  const slow = { kind: 'slow', detail: 'The answer does not end' }
  await expect(calls.list().next()).rejects.toMatchObject(slow)
  await expect(calls.putPart('key', part(), signal)).rejects.toMatchObject(slow)
  await expect(calls.hash('key', 1, signal)).rejects.toMatchObject(slow)
  session.close()
})

/** Tests a bucket whose addresses for visitors answer like this. */
async function tryAddress(GET: Answer) {
  const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest()
  let [head, whole]: [Record<string, string>, Buffer] = [{}, Buffer.alloc(0)]
  const answers: Record<string, Answer> = {
    POST({ url = '', headers }, response) {
      if (!url.includes('uploads')) return void response.end('<CompleteMultipartUploadResult/>')
      head = {
        'x-amz-meta-sha256': String(headers['x-amz-meta-sha256']),
        'content-length': String(64 * 1024),
      }
      response.end(
        '<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>',
      )
    },
    PUT({ headers }, response) {
      whole = Buffer.from(String(headers['content-md5']), 'base64')
      response.setHeader('etag', `"${whole.toString('hex')}"`).end()
    },
    HEAD: (_, response) =>
      void response.writeHead(200, { ...head, etag: `"${md5(whole).toString('hex')}-1"` }).end(),
    GET,
    DELETE: (_, response) => void response.writeHead(204).end(),
  }
  const { endpoint } = await server((request, response) =>
    answers[request.method ?? '']?.(request, response),
  )
  return tryBucket(choiceOf(endpoint), KEYS)
}

test('the test of a bucket leaves an address that sends without an end', async () => {
  const written: Promise<number>[] = []
  const steps = await tryAddress(
    (_, response) => void written.push(writeWithoutEnd(response.writeHead(206))),
  )
  expect(steps).toMatchObject([
    { problem: null },
    { step: 'read', problem: 'rejected' },
    { problem: null },
    {},
  ])
  expect(await written[0]).toBeLessThan(BUFFERED)
})

test('the test of a bucket says how an address ended without an answer', async () => {
  const [, read] = await tryAddress(({ socket }) => void socket.destroy())
  expect(read).toEqual({ step: 'read', problem: 'unreachable', detail: 'other side closed' })
})
