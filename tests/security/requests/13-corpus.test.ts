import { expect, test } from 'vitest'
import { KB, MB } from '../../../server/contract'
import { aHost, clientAt, type StandingHost } from '../../support/world/place'
import { fieldPart, filePart, multipartBody, multipartType } from '../../support/multipart'
import { RawClient } from '../../support/network/raw-client'

/** What the kernels of both sides may hold of a body that the host does not read. */
const MOST_READ = 60 * MB
const MORE_MEMORY = 100 * MB

interface Evil {
  line?: string
  headers?: Record<string, string>
  body?: Buffer | string
  /** The body continues for so many bytes, repeating this one. */
  thenBytes?: number
}

const UPLOAD = 'POST /api/files/upload'
const TUS = 'POST /api/uploads'
const asTus = {
  'Tus-Resumable': '1.0.0',
  'Upload-Length': '10',
  'Upload-Metadata': 'filename YQ==',
}
const asForm = { 'Content-Type': multipartType }
const asJson = { 'Content-Type': 'application/json' }
const form = (...parts: Parameters<typeof multipartBody>): Evil => ({
  headers: asForm,
  body: multipartBody(...parts),
})
const BOUNDARY = `--${multipartType.split('boundary=')[1]}`
const posted = (body: string): Evil => ({ line: 'POST /api/projects', headers: asJson, body })

/** Malformed requests, and the allowed answers: by default 4xx. `FILE` is an existing file. */
const corpus: Record<string, [Evil, (status: number) => boolean]> = {
  'a part in 7bit': [
    form(fieldPart('version', '1', 'Content-Transfer-Encoding: 7bit'), filePart('x')),
    taken,
  ],
  'a part in 8bit': [
    form(fieldPart('version', '1', 'Content-Transfer-Encoding: 8bit'), filePart('x')),
    taken,
  ],
  'a part in an unknown encoding': [
    form(filePart('x', 'x', 'Content-Transfer-Encoding: 9bit')),
    refused,
  ],
  'a part header of 300 MB': [
    { headers: asForm, body: `${BOUNDARY}\r\nX-Long: `, thenBytes: 300 * MB },
    refused,
  ],
  'a field of 300 MB': [
    {
      headers: asForm,
      body: `${BOUNDARY}\r\nContent-Disposition: form-data; name="version"\r\n\r\n`,
      thenBytes: 300 * MB,
    },
    refused,
  ],
  'no boundary': [{ headers: { 'Content-Type': 'multipart/form-data' }, body: 'x' }, refused],
  'an empty boundary': [
    { headers: { 'Content-Type': 'multipart/form-data; boundary=' }, body: '--\r\n' },
    refused,
  ],
  'a boundary of 10 KB': [
    {
      headers: { 'Content-Type': `multipart/form-data; boundary=${'b'.repeat(10_000)}` },
      body: 'x',
    },
    refused,
  ],
  '3000 files': [
    form(...Array.from({ length: 3000 }, (_, n) => filePart('x', `${n}.txt`))),
    refused,
  ],
  '3000 fields': [
    form(...Array.from({ length: 3000 }, (_, n) => fieldPart(`f${n}`, 'x')), filePart('x')),
    refused,
  ],
  'a form that is cut': [
    { headers: asForm, body: multipartBody(filePart('bytes')).subarray(0, -20) },
    refused,
  ],
  'a form in a form': [
    form({
      header: [
        'Content-Disposition: form-data; name="file"',
        'Content-Type: multipart/mixed; boundary=i',
      ],
      body: '--i\r\n\r\n--i--',
    }),
    refused,
  ],
  'fields that every object has': [
    form(
      fieldPart('__proto__', 'a'),
      fieldPart('__proto__', 'b'),
      fieldPart('constructor', 'c'),
      filePart('x'),
    ),
    refused,
  ],
  'bytes without a name': [{ line: 'PUT /api/files/upload/', body: 'x' }, refused],
  'bytes under a way up': [
    { line: 'PUT /api/files/upload/..%2f..%2fsecrets.json', body: 'x' },
    taken,
  ],
  'bytes under a NUL': [{ line: 'PUT /api/files/upload/a%00b', body: 'x' }, taken],
  'bytes under half an escape': [{ line: 'PUT /api/files/upload/%E0%A4', body: 'x' }, taken],
  'a digest of words': [
    { line: 'PUT /api/files/upload/a', headers: { 'Repr-Digest': 'sha-256=:%%%:' }, body: 'x' },
    refused,
  ],
  'a key of 10 KB': [
    {
      line: 'PUT /api/files/upload/a',
      headers: { 'Idempotency-Key': 'k'.repeat(10_000) },
      body: 'x',
    },
    refused,
  ],
  'an unfinished upload of no size': [
    { line: TUS, headers: { ...asTus, 'Upload-Length': '-1' } },
    refused,
  ],
  'an unfinished upload of 10^15 bytes': [
    { line: TUS, headers: { ...asTus, 'Upload-Length': '9'.repeat(15) } },
    refused,
  ],
  'metadata that is no base64': [
    { line: TUS, headers: { ...asTus, 'Upload-Metadata': 'filename %%%,,= ,' } },
    refused,
  ],
  'metadata of 12 KB': [
    { line: TUS, headers: { ...asTus, 'Upload-Metadata': 'a YQ==,'.repeat(1700) } },
    refused,
  ],
  'the same metadata twice': [
    { line: TUS, headers: { ...asTus, 'Upload-Metadata': 'filename YQ==,filename Yg==' } },
    refused,
  ],
  'an upload of parts': [
    { line: TUS, headers: { ...asTus, 'Upload-Concat': 'final;/x '.repeat(1000) } },
    refused,
  ],
  'a bad escape': [{ line: 'GET /api/files/%E0%A4%A' }, refused],
  'half an escape': [{ line: 'GET /api/files/%' }, refused],
  'a NUL': [{ line: 'GET /api/files/rocket%00.apk/download' }, refused],
  'a way up in an id': [{ line: 'GET /api/files/..%2f..%2f..%2fetc%2fpasswd/download' }, refused],
  'a way up in the pages': [{ line: 'GET /assets/..%2f..%2f..%2f..%2fetc%2fpasswd' }, refused],
  'a plain way up in the API': [{ line: 'GET /api/files/../../../../etc/passwd' }, refused],
  'a way up to the secrets': [{ line: 'GET /assets/..%5c..%5csecrets.json' }, refused],
  'a Range backwards': [
    { line: 'GET /api/files/FILE/download', headers: { Range: 'bytes=9-1' } },
    served,
  ],
  'a Range of words': [
    { line: 'GET /api/files/FILE/download', headers: { Range: 'bytes=a-b' } },
    served,
  ],
  'a Range beyond the end': [
    { line: 'GET /api/files/FILE/download', headers: { Range: 'bytes=999999-' } },
    (status) => status === 416,
  ],
  '5000 Ranges': [
    { line: 'GET /api/files/FILE/download', headers: { Range: `bytes=${'0-0,'.repeat(3000)}0-0` } },
    (status) => status < 500,
  ],
  'a Range of huge numbers': [
    { line: 'GET /api/files/FILE/download', headers: { Range: `bytes=0-${'9'.repeat(400)}` } },
    served,
  ],
  'a bad Referer': [
    { line: 'GET /api/auth/check', headers: { Referer: 'http://%%%/\\' } },
    (status) => status === 200,
  ],
  'JSON 100,000 deep': [posted(`${'['.repeat(100_000)}${']'.repeat(100_000)}`), refused],
  'objects 40,000 deep': [posted(`${'{"title":'.repeat(25_000)}1${'}'.repeat(25_000)}`), refused],
  'JSON with what every object has': [
    posted('{"__proto__":{"is_public":true},"constructor":{"prototype":{"x":1}}}'),
    refused,
  ],
  'JSON with a million keys': [
    posted(`{${Array.from({ length: 20_000 }, (_, n) => `"${n}":1`).join()}}`),
    refused,
  ],
  'a number beyond all bounds': [
    { line: `GET /api/files/my-files?limit=${'9'.repeat(400)}` },
    refused,
  ],
  'a query of 10 KB': [
    { line: `GET /api/files/public?search=${'%F0%9F%9A%80'.repeat(800)}` },
    (status) => status < 500,
  ],
  '3000 queries': [{ line: `GET /api/files/public?${'search=a&'.repeat(1500)}` }, refused],
}

function refused(status: number): boolean {
  return status >= 400 && status < 500
}
function taken(status: number): boolean {
  return status === 201
}
function served(status: number): boolean {
  return [200, 206, 416].includes(status)
}

/**
 * Sends it as slowly or quickly as the server takes it; answers the status and how many bytes were
 * sent.
 */
async function send(
  { port, place }: StandingHost,
  evil: Evil,
  fileId: string,
): Promise<{ status: number; sent: number; body: string }> {
  const { line = UPLOAD, headers = {}, body = '', thenBytes = 0 } = evil
  const client = await RawClient.connect(port)
  const length = Buffer.byteLength(body) + thenBytes
  const lengthSent = length > 0 || line.startsWith('POST') ? { 'Content-Length': `${length}` } : {}
  client.head(port, line.replace('FILE', fileId), {
    'X-API-Key': place.key,
    ...headers,
    ...lengthSent,
  })
  client.write(body)
  const piece = Buffer.alloc(256 * KB, 'x')
  const sending = setInterval(() => {
    if (thenBytes > 0 && !client.socket.writableNeedDrain && client.socket.bytesWritten < length)
      client.write(piece)
  })
  const reply = await client.reply()
  clearInterval(sending)
  const sent = client.socket.bytesWritten
  client.close()
  return { status: reply.status, sent, body: reply.body }
}

test(`${Object.keys(corpus).length} malformed requests: each is answered before much of it is read, and the server is unharmed`, async () => {
  const standing = await aHost()
  const { file } = await clientAt(standing.place).files.upload({
    file: new File(['rocket'], 'rocket.apk'),
  })
  const before = standing.host.rss()
  let most = before
  for (const [name, [evil, isRight]] of Object.entries(corpus)) {
    const { status, sent, body } = await send(standing, evil, file.file_id)
    expect([name, status, isRight(status)]).toEqual([name, status, true])
    expect(sent, `bytes until ${name} is answered`).toBeLessThan(MOST_READ)
    expect(body, name).not.toMatch(/root:|sessionKeys/)
    most = Math.max(most, standing.host.rss())
  }
  console.log(
    `13: ${Object.keys(corpus).length} malformed requests, ${Math.round((most - before) / MB)} MB more memory at most`,
  )
  expect(most - before).toBeLessThan(MORE_MEMORY)
  expect((await fetch(`${standing.host.url}/api/auth/check`)).status).toBe(200)
  expect(standing.host.stderr).toBe('')
})
