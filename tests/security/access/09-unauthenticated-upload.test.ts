import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { watch } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { expect, type TestContext } from 'vitest'
import { calls, endpointOf } from '../../support/calls'
import { GB, MB } from '../../../server/contract'
import { aProject, aUser } from '../../support/world/factories'
import { keptBytes, NOTHING_KEPT } from '../../support/kept-bytes'
import { multipartType } from '../../support/multipart'
import { RawClient } from '../../support/network/raw-client'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

type OnTestFinished = TestContext['onTestFinished']

const chunk = Buffer.alloc(MB)
const httpChunk = Buffer.concat([Buffer.from(`${MB.toString(16)}\r\n`), chunk, Buffer.from('\r\n')])

/** Callers that may not upload, their headers, and the answers. */
const strangers: [string, (server: TestServer) => Promise<Record<string, string>>, number][] = [
  ['a visitor', () => Promise.resolve({}), 401],
  ['a wrong key', () => Promise.resolve({ 'X-API-Key': `apk_${'x'.repeat(43)}` }), 401],
  ['a key that may only read', async (server) => ({ 'X-API-Key': await aReadingKey(server) }), 403],
  [
    'a key of a disabled account',
    async (server) => ({ 'X-API-Key': await aKeyOfDisabled(server) }),
    401,
  ],
  [
    'somebody without a place in the project',
    async (server) => ({ 'X-API-Key': await aStrangersKey(server) }),
    404,
  ],
  ['a made-up session', () => Promise.resolve({ Cookie: `slipway.sid=${'x'.repeat(43)}` }), 401],
  [
    'another site with a good session',
    async (server) => ({ Cookie: await aCookie(server), Origin: 'http://a.example' }),
    403,
  ],
]

async function aReadingKey(server: TestServer): Promise<string> {
  const { id } = await aUser(server, 'alice')
  return (
    await server.inside.apiKeys.create(id, 'reads', null, { scopes: ['read'], projectId: null })
  ).key
}

/** There is such a project, and it is not theirs. */
async function aStrangersKey(server: TestServer): Promise<string> {
  await aProject(server, await aUser(server, 'alice'), { title: 'Secret' })
  return server.keyOf(await aUser(server, 'bob', { tier: 'Enterprise' }))
}

async function aKeyOfDisabled(server: TestServer): Promise<string> {
  const alice = await aUser(server, 'alice')
  const key = await server.keyOf(alice)
  await server.inside.users.change(alice.id, { disabled: true })
  return key
}

const aCookie = async (server: TestServer) =>
  (await server.signedIn(await aUser(server, 'alice'))).browser.cookie

/** The server's end of the connections whose requests are for this path on this port. */
function socketsAskedFor(path: string, port: number, onTestFinished: OnTestFinished): Socket[] {
  const sockets: Socket[] = []
  const listen = (message: unknown) => {
    const { request, socket } = message as { request: IncomingMessage; socket: Socket }
    if (request.url === path && socket.localPort === port) sockets.push(socket)
  }
  subscribe('http.server.request.start', listen)
  onTestFinished(() => void unsubscribe('http.server.request.start', listen))
  return sockets
}

/** Everything that happens in the folder of uploads in progress. */
function eventsIn(dir: string, onTestFinished: OnTestFinished): string[] {
  const events: string[] = []
  const watcher = watch(dir, (event, name) => events.push(`${event} ${name}`))
  onTestFinished(() => watcher.close())
  return events
}

const base64 = (text: string) => Buffer.from(text).toString('base64')
const asForm = { 'Content-Type': multipartType }
const asBytes = { 'Content-Type': 'application/octet-stream' }
/** All requests of tus (https://tus.io/protocols/resumable-upload). */
const byTus = {
  ...{ 'Content-Type': 'application/offset+octet-stream', 'Tus-Resumable': '1.0.0' },
  ...{ 'Upload-Length': `${GB}`, 'Upload-Offset': '0' },
  'Upload-Metadata': `filename ${base64('app.apk')},project_id ${base64('secret')}`,
}

/**
 * Every call of the contract that takes the bytes of a file; what its path and query name is not
 * theirs to see.
 */
const uploading = calls.flatMap((call) => {
  const { method, path, body } = endpointOf(call)
  if (body !== 'multipart' && body !== 'bytes') return []
  const query = call.startsWith('pictures.') ? 'kind=icon' : 'project=secret&project_id=secret'
  const line = `${method} ${path.replace(/:\w+/g, 'nothing-of-theirs')}?${query}`
  const isTus = call.startsWith('uploads.') || call.endsWith('.append')
  const way = body === 'multipart' ? asForm : isTus ? byTus : asBytes
  return [{ call, line, way }]
})
/** The methods that take no body, where something answers them. */
const bodiless = ['GET /', 'OPTIONS /api/uploads', 'DELETE /api/files/nothing'].map((line) => ({
  ...{ call: line, line, way: {} },
}))
const lengths = {
  'a length': { 'Content-Length': `${GB}` },
  chunks: { 'Transfer-Encoding': 'chunked' },
}
/** A link that never existed tells nothing else to a caller with nothing wrong to show. */
const anonymous = new Set(['a visitor', 'a made-up session', 'a key that may only read'])
const isOfLinks = (call: string) =>
  /^(fileRequests|reports|devices)\./.test(call) && call !== 'reports.sendAsApp'
const cases = strangers.flatMap(([who, headers, status]) =>
  uploading.flatMap((upload) =>
    Object.entries(lengths).map(([how, length]) => ({
      who,
      how,
      headers,
      length,
      status: anonymous.has(who) && isOfLinks(upload.call) ? 404 : status,
      ...upload,
    })),
  ),
)
const passedOver = bodiless.flatMap((call) =>
  Object.entries(lengths).map(([how, length]) => {
    const headers = (): Promise<Record<string, string>> => Promise.resolve({})
    return { who: 'a visitor', how, headers, length, status: 413, ...call }
  }),
)

// At once: each waits half a second for its connection to be cut.
test.concurrent.for([...cases, ...passedOver])(
  '$call: 1 GB of $who with $how is cut before 1 MB of it is read',
  async (given, { server, onTestFinished }) => {
    const headers = { ...given.way, ...given.length, ...(await given.headers(server)) }
    const sockets = socketsAskedFor(given.line.split(' ')[1] ?? '', server.port, onTestFinished)
    const events = eventsIn(join(server.dataDir, 'tmp'), onTestFinished)
    const client = await RawClient.connect(server.port)
    client.head(server.port, given.line, headers)
    const sending = setInterval(() => {
      if (client.socket.writableNeedDrain || client.socket.bytesWritten > GB) return
      client.write(given.how === 'chunks' ? httpChunk : chunk)
    })

    const reply = await client.reply()
    await client.closed
    clearInterval(sending)

    expect([reply.status, reply.headers['connection']]).toEqual([given.status, 'close'])
    expect(sockets.map((socket) => socket.bytesRead < MB)).toEqual([true])
    expect(events, 'what happened where uploads begin').toEqual([])
    expect(await keptBytes(server)).toEqual(NOTHING_KEPT)
  },
)

test('nothing runs behind a refused upload on its connection', async ({ server, alice }) => {
  const key = await server.keyOf(alice)
  const { project_id: id } = await aProject(server, alice)
  const client = await RawClient.connect(server.port)
  client.head(server.port, 'PUT /api/files/upload/app.apk', { ...asBytes, 'Content-Length': '6' })
  await client.reply()

  client.socket.cork()
  client.write('rocket').head(server.port, `DELETE /api/projects/${id}`, { 'X-API-Key': key })
  client.socket.uncork()
  await client.closed

  expect((await server.as(alice).projects.mine({})).projects).toHaveLength(1)
})
