import { type ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { Bucket } from '../../../../server/data/bucket/copies/bucket'
import { BucketError } from '../../../../server/data/bucket/bucket-error'
import { tryBucket } from '../../../../server/data/bucket/try-bucket'
import { someBlob } from '../../../support/bucket/blobs'
import { pairFor } from '../../../support/internet/small-authority'
import { choiceOf, KEYS, server } from './a-store'
import { freePort } from '../../../../scripts/dev/free-port'

const BLOB = 'ab'.repeat(16)

const tried = async (endpoint: string) => (await tryBucket(choiceOf(endpoint), KEYS))[0]

const refuses =
  (status: number, code: string, message = '') =>
  (_: unknown, response: ServerResponse) =>
    void response
      .writeHead(status, { 'content-type': 'application/xml' })
      .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`)

test.each([
  [403, 'InvalidAccessKeyId', 'key_refused'],
  [403, 'SignatureDoesNotMatch', 'key_refused'],
  [400, 'ExpiredToken', 'key_refused'],
  [401, 'SomeCode', 'key_refused'],
  [403, 'AccessDenied', 'no_permission'],
  [403, 'AllAccessDisabled', 'no_permission'],
  [404, 'NoSuchBucket', 'no_bucket'],
  [403, 'RequestTimeTooSkewed', 'clock'],
  [301, 'PermanentRedirect', 'redirects'],
  [307, 'TemporaryRedirect', 'redirects'],
  [503, 'SlowDown', 'busy'],
  [429, 'TooManyRequests', 'busy'],
  [500, 'InternalError', 'busy'],
  [502, '', 'busy'],
  [400, 'RequestTimeout', 'slow'],
  [403, 'QuotaExceeded', 'full'],
  [507, 'XMinioStorageFull', 'full'],
  [400, 'AuthorizationHeaderMalformed', 'rejected'],
  [501, 'NotImplemented', 'rejected'],
])('calls a refusal with %s %s %s', async (status, code, kind) => {
  const { endpoint } = await server(refuses(status, code, 'so the store says'))

  expect(await tried(endpoint)).toEqual({
    step: 'put',
    problem: kind,
    detail: expect.stringContaining(code) as string,
  })
})

test('takes the refusal of a part that the store has not read', async () => {
  const begun =
    '<InitiateMultipartUploadResult><UploadId>one</UploadId></InitiateMultipartUploadResult>'
  const { endpoint, requests } = await server((request, response) => {
    if (request.method === 'POST') response.end(begun)
    else refuses(503, 'SlowDown')(request.pause(), response)
  })
  const bucket = await Bucket.open(choiceOf(endpoint), KEYS)
  const copying = bucket.copy(someBlob(), { parts: [] }, { signal: new AbortController().signal })

  await expect(copying).rejects.toThrow(
    expect.objectContaining({ kind: 'busy', detail: 'SlowDown' }),
  )
  expect(requests).toHaveLength(2)
  bucket.close()
})

test('repeats the words of the store, but never the keys', async () => {
  const said = `The key AKIDOFTHETEST with secret-of-the-test is\n unknown. ${'Much more. '.repeat(100)}`
  const { endpoint } = await server(refuses(403, 'InvalidAccessKeyId', said))
  const { detail } = (await tried(endpoint)) ?? {}

  expect(detail).toMatch(/^InvalidAccessKeyId: The key … with … is unknown\./)
  expect(detail).toHaveLength(300)
})

test.each([301, 302, 307, 308])('never follows a redirect with %i', async (status) => {
  const other = await server((_, response) => void response.end())
  const { endpoint } = await server(
    (request, response) =>
      void response
        .writeHead(status, { location: `${other.endpoint}${request.url}` })
        .end('<html>Moved</html>'),
  )
  expect(await tried(endpoint)).toMatchObject({ step: 'put', problem: 'redirects' })

  const bucket = await Bucket.open(choiceOf(endpoint), KEYS)
  await expect(bucket.head(BLOB)).rejects.toThrow(expect.objectContaining({ kind: 'redirects' }))
  expect(other.requests).toEqual([])
})

test.each([
  ['a web page', '<!doctype html><html><body>Welcome<br></body></html>'],
  ['nothing', ''],
])('rejects a server that answers everything with %s', async (_, page) => {
  const { endpoint } = await server((_request, response) => void response.end(page))

  expect(await tried(endpoint)).toEqual({
    step: 'put',
    problem: 'rejected',
    detail: 'The server did not answer as an S3-compatible store does',
  })
})

test('takes an object for deleted where the store does not know it', async () => {
  const { endpoint, requests } = await server(refuses(404, 'NoSuchKey'))
  const bucket = await Bucket.open(choiceOf(endpoint), KEYS)

  await bucket.remove(BLOB)
  expect(requests).toEqual([expect.stringContaining('DELETE')])
})

test('gives the status where the store sends no words', async () => {
  const { endpoint } = await server(
    (_, response) => void response.writeHead(403).end('<html>Forbidden<br></html>'),
  )

  expect(await tried(endpoint)).toEqual({
    step: 'put',
    problem: 'no_permission',
    detail: 'HTTP status 403',
  })
})

test('says by how much this clock is ahead, also where the answer has no words', async () => {
  const date = new Date(Date.now() - 20 * 60_000).toUTCString()
  const { endpoint } = await server((_, response) => void response.writeHead(403, { date }).end())
  const bucket = await Bucket.open(choiceOf(endpoint), KEYS)
  const error = await bucket.head(BLOB).catch((cause: unknown) => cause)

  expect(error).toBeInstanceOf(BucketError)
  expect((error as BucketError).kind).toBe('clock')
  expect((error as BucketError).clockOffMs).toBeGreaterThan(19 * 60_000)
})

test('cannot reach a closed port, a name that does not exist, or a server with an unknown certificate', async () => {
  const { endpoint } = await server((_, response) => void response.end())
  const { port } = new URL(endpoint)
  const closed = await freePort()
  const { pair } = pairFor('127.0.0.1')
  const secured = await server((_, response) => void response.end(), {
    cert: pair.certificate,
    key: pair.key,
  })

  expect(await tried(`http://127.0.0.1:${closed}`)).toMatchObject({
    problem: 'unreachable',
    detail: 'ECONNREFUSED: connection refused',
  })
  expect(await tried('https://store.invalid')).toMatchObject({ problem: 'unreachable' })
  expect(await tried(`https://127.0.0.1:${port}`)).toMatchObject({ problem: 'unreachable' })
  expect(await tried(secured.endpoint)).toMatchObject({
    problem: 'unreachable',
    detail: expect.stringContaining('certificate') as string,
  })
})

test.each([
  [true, 'https://store.example.org/builds/slipway/'],
  [false, 'https://builds.store.example.org/slipway/'],
])('puts the bucket into the path (%s) or the host of an address', async (path_style, start) => {
  const choice = { ...choiceOf('https://store.example.org'), prefix: 'slipway/', path_style }
  const bucket = await Bucket.open(choice, KEYS)
  const url = await bucket.presignUrl(BLOB, {
    filename: 'a.zip',
    type: 'application/zip',
    seconds: 900,
  })

  expect(url).toContain(`${start}${BLOB}?`)
  expect(new URL(url).searchParams.get('X-Amz-Expires')).toBe('900')
})

test('ends a call with the reason of its signal', async () => {
  const { endpoint } = await server(() => undefined)
  const bucket = await Bucket.open(choiceOf(endpoint), KEYS)
  const ending = new AbortController()
  const asked = bucket.head(BLOB, ending.signal)
  ending.abort(new Error('the host stops'))

  await expect(asked).rejects.toThrow('the host stops')
})

test('cuts running calls when it is closed', async () => {
  const asked = Promise.withResolvers<undefined>()
  const { endpoint } = await server(() => asked.resolve(undefined))
  const bucket = await Bucket.open(choiceOf(endpoint), KEYS)
  const head = bucket.head(BLOB).catch((error: unknown) => error)
  await asked.promise
  bucket.close()

  expect(await head).toMatchObject({ kind: 'unreachable' })
})
