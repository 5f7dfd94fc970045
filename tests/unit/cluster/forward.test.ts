import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from 'koa'
import { expect, test } from 'vitest'
import { api } from '../../../server/contract'
import { AppError } from '../../../server/core/errors'
import { readJson } from '../../../server/http/endpoint/read-json'
import { forwardToPrimary } from '../../../server/cluster/forwarding/request-guards'
import { isConfidential, isFromHere, remoteOf } from '../../../server/http/pipeline/remote'
import { continueBody, declaredBytes, pumpBody } from '../../../server/http/receive/pump-body'
import { RawClient } from '../../support/network/raw-client'
import { aHost, aPair } from './internal'

/** A primary with one path for each kind of reply. */
async function serveAll(ctx: Context): Promise<void> {
  const reply = replies[ctx.path]
  if (!reply) throw new AppError('not_found', 'There is nothing here')
  await reply(ctx)
}

const replies: Record<string, (ctx: Context) => unknown> = {
  '/json': (ctx) => (ctx.body = { a: 1 }),
  '/echo': async (ctx) => {
    const names = Object.keys(ctx.headers).filter(
      (name) => !['connection', 'expect', 'slipway-client'].includes(name),
    )
    ctx.body = {
      headers: names.map((name) => [name, ctx.headers[name]]),
      body: await readJson(ctx),
      url: ctx.req.url,
    }
  },
  '/who': (ctx) => (ctx.body = { ...remoteOf(ctx), isConfidential: isConfidential(ctx) }),
  '/bytes': async (ctx) => {
    const into = new PassThrough()
    continueBody(ctx)
    const [bytes] = await Promise.all([
      buffer(into),
      pumpBody(ctx.req, into).then(() => into.end()),
    ])
    ctx.status = 201
    ctx.body = bytes
  },
  '/length': (ctx) => (ctx.body = declaredBytes(ctx)),
  '/204': (ctx) => (ctx.status = 204),
  '/304': (ctx) => {
    ctx.set('ETag', '"a"')
    ctx.status = 304
  },
  '/206': (ctx) => {
    ctx.status = 206
    ctx.set({ 'Content-Range': 'bytes 0-2/9', 'Content-Length': '3', 'Cache-Control': 'private' })
    ctx.res.end('abc')
    ctx.respond = false
  },
  '/302': (ctx) => ctx.redirect('https://elsewhere.example/'),
  '/cookies': (ctx) => {
    ctx.res.setHeader('Set-Cookie', ['a=1; HttpOnly', 'b=2'])
    ctx.res.setHeader('Vary', 'Accept')
    ctx.res.setHeader('X-Frame-Options', 'SAMEORIGIN')
    ctx.res.removeHeader('Permissions-Policy')
    ctx.body = ''
  },
  '/hop': (ctx) => {
    ctx.set({ 'X-Kept': 'yes', 'Slipway-Linger': '1' })
    ctx.body = 'hop'
  },
  '/chunks': async (ctx) => {
    ctx.respond = false
    ctx.res.writeHead(200, { 'Content-Type': 'text/plain' })
    ctx.res.write('one ')
    await nextTurn()
    ctx.res.end('two')
  },
  '/unread': (ctx) => (ctx.body = 'without reading'),
}

/** Everything that a server answers, without what may differ. */
async function answerOf(port: number, head: string, body = ''): Promise<string> {
  const client = await RawClient.connect(port)
  client.write(`${head.replaceAll('\n', '\r\n').replace('HOST', `127.0.0.1:4780`)}\r\n\r\n${body}`)
  await client.closed
  const [fields = '', ...rest] = client.received
    .replace(/^HTTP\/1.1 100 Continue\r\n\r\n/, '')
    .split('\r\n\r\n')
  const lines = fields
    .split('\r\n')
    .filter((line) => !/^(date|connection|slipway-linger):/i.test(line))
  const content = rest.join('\r\n\r\n')
  return [...lines, /^transfer-encoding: chunked/im.test(fields) ? unchunk(content) : content].join(
    '\n',
  )
}

function unchunk(text: string): string {
  const [, size = '0', rest = ''] = /^([0-9a-f]+)\r\n(.*)$/is.exec(text) ?? []
  const length = Number.parseInt(size, 16)
  return length === 0 ? '' : rest.slice(0, length) + unchunk(rest.slice(length + 2))
}

const CLOSE = 'Host: HOST\nConnection: close'
const JSON_HEAD = `Content-Type: application/json\nContent-Length: 7`

test.for<[what: string, head: string, body?: string]>([
  ['JSON', `GET /json HTTP/1.1\n${CLOSE}`],
  ['HEAD', `HEAD /json HTTP/1.1\n${CLOSE}`],
  ['HEAD without a length', `HEAD /chunks HTTP/1.1\n${CLOSE}`],
  ['no content', `DELETE /204 HTTP/1.1\n${CLOSE}`],
  ['not modified', `GET /304 HTTP/1.1\n${CLOSE}\nIf-None-Match: "a"`],
  ['a range', `GET /206 HTTP/1.1\n${CLOSE}\nRange: bytes=0-2`],
  ['a redirect', `GET /302 HTTP/1.1\n${CLOSE}`],
  ['several cookies, and other headers than a host sets', `GET /cookies HTTP/1.1\n${CLOSE}`],
  [
    'headers of the connection',
    `GET /hop HTTP/1.1\nHost: HOST\nConnection: close, x-mine\nX-Mine: 1`,
  ],
  ['chunks', `GET /chunks HTTP/1.1\n${CLOSE}`],
  ['chunks for HTTP/1.0', 'GET /chunks HTTP/1.0\nHost: HOST'],
  ['an error', `GET /none HTTP/1.1\n${CLOSE}`],
  [
    'an error for a browser',
    `GET /none HTTP/1.1\n${CLOSE}\nAccept: text/html\nSec-Fetch-Mode: navigate`,
  ],
  ['a wrong Host', 'GET /json HTTP/1.1\nHost: rebound.example\nConnection: close'],
  ['a JSON body', `POST /echo HTTP/1.1\n${CLOSE}\n${JSON_HEAD}`, '{"a":1}'],
  [
    'repeated headers',
    `POST /echo?a=%20b&a HTTP/1.1\n${CLOSE}\n${JSON_HEAD}\nX-A: 1\nX-a: 2\nX-B: ü`,
    '{"a":1}',
  ],
  ['a whole address', `POST http://127.0.0.1/echo HTTP/1.1\n${CLOSE}\n${JSON_HEAD}`, '{"a":1}'],
  ['no body at all', `POST /echo HTTP/1.1\n${CLOSE}\nContent-Length: 0`],
  ['a body without a length, which is none', `PUT /length HTTP/1.1\n${CLOSE}`],
  ['a body that nobody reads', `POST /unread HTTP/1.1\n${CLOSE}\n${JSON_HEAD}`, '{"a":1}'],
  ['an invalid body', `POST /echo HTTP/1.1\n${CLOSE}\n${JSON_HEAD}`, '{"a":1)'],
  ['bytes', `PUT /bytes HTTP/1.1\n${CLOSE}\nContent-Length: 300000`, 'x'.repeat(300_000)],
  [
    'bytes in chunks',
    `PUT /bytes HTTP/1.1\n${CLOSE}\nTransfer-Encoding: chunked`,
    '3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n',
  ],
  [
    'bytes after 100 Continue',
    `PUT /bytes HTTP/1.1\n${CLOSE}\nContent-Length: 3\nExpect: 100-continue`,
    'abc',
  ],
  [
    'a body where none belongs',
    `GET /json HTTP/1.1\n${CLOSE}\nContent-Length: 70000`,
    'x'.repeat(70_000),
  ],
])('a replica answers as the primary does: %s', async ([, head, body]) => {
  const { replica, primary } = await aPair(serveAll)
  const at = (port: number) => answerOf(port, head.replace('HOST', `127.0.0.1:${port}`), body)
  const [passed, direct] = [await at(replica.port), await at(primary.port)]
  const plain = (text: string) =>
    text.replaceAll(String(replica.port), 'PORT').replaceAll(String(primary.port), 'PORT')
  expect(plain(passed)).toBe(plain(direct))
  expect(passed).toMatch(/^HTTP\/1.1 \d{3} /)
})

test('the primary takes the address of a client from the replica only', async () => {
  const { replica, primary } = await aPair(async (ctx) => {
    expect(isFromHere(ctx)).toBe(ctx.socket.localPort === primary.port)
    await serveAll(ctx)
  })
  const forged = Buffer.from(JSON.stringify({ address: '6.6.6.6' })).toString('base64url')
  const ask = async (port: number, from: string, more: object = {}) => {
    const client = await RawClient.connect(port, from)
    const headers = { Connection: 'close', 'Slipway-Client': forged, ...more }
    return JSON.parse((await client.head(port, 'GET /who', headers).reply()).body) as object
  }
  const usual = { protocol: 'http', isForwarded: false, isOutside: false }
  const host = (port: number) => `127.0.0.1:${port}`
  expect(await ask(primary.port, '127.0.0.1')).toEqual({
    ...{ ...usual, address: '127.0.0.1', host: host(primary.port), isConfidential: true },
  })
  expect(await ask(replica.port, '127.0.0.1')).toEqual({
    ...{ ...usual, address: '127.0.0.1', host: host(replica.port), isConfidential: true },
    isPassedOn: true,
  })
  const proxied = {
    'X-Forwarded-For': '203.0.113.7',
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-Host': 'b.example',
  }
  expect(await ask(replica.port, '127.0.0.9', proxied)).toEqual({
    ...{ address: '203.0.113.7', protocol: 'https', host: 'b.example' },
    ...{ isForwarded: true, isOutside: false, isConfidential: true, isPassedOn: true },
  })
  expect(
    await ask(replica.port, '127.0.0.9', { ...proxied, 'X-Forwarded-Proto': 'http' }),
  ).toMatchObject({
    isConfidential: false,
  })
})

test('a keep-alive connection of a client takes several requests, and one to the primary serves them', async () => {
  const connections = new Set<unknown>()
  const { replica } = await aPair(async (ctx) => {
    connections.add(ctx.socket)
    await serveAll(ctx)
  })
  for (let index = 0; index < 3; index++) {
    const reply = await fetch(`http://127.0.0.1:${replica.port}/echo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ index }),
    })
    expect(await reply.json()).toMatchObject({ body: { index } })
  }
  expect(connections.size).toBe(1)
})

test('an event stream reaches the client event by event, its headers before the first', async () => {
  const events = new PassThrough()
  const left = Promise.withResolvers()
  const { replica } = await aPair((ctx) => {
    ctx.res.once('close', () => left.resolve(undefined))
    ctx.type = 'text/event-stream'
    ctx.respond = false
    ctx.res.writeHead(200)
    ctx.res.flushHeaders()
    events.pipe(ctx.res)
  })
  const { body } = await fetch(`http://127.0.0.1:${replica.port}/`)
  const stream = body!.pipeThrough(new TextDecoderStream()).getReader()
  for (const event of ['data: 1\n\n', 'data: 2\n\n']) {
    events.write(event)
    expect(await stream.read()).toEqual({ value: event, done: false })
  }
  await stream.cancel()
  await left.promise
})

test('a replica passes on what only the primary knows, and answers all other reads', async () => {
  const primary = {
    pass(ctx: Context) {
      ctx.body = 'the primary'
      return Promise.resolve()
    },
  }
  const passing = forwardToPrimary(primary, { isVisitor: () => true, perHour: () => 3 })
  const { port } = await aHost(async (ctx) => {
    await passing(ctx, () => Promise.resolve(void (ctx.body = 'the replica')))
  })
  const answering = async (path: string, init: RequestInit = {}) => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, init)
    return reply.text()
  }
  const { host, activity, settings, uploads } = api
  const download = '/api/files/a-file/download'
  for (const path of [
    host.ping.path,
    '/reach/a-token',
    activity.events.path,
    settings.show.path,
    uploads.list.path,
  ])
    expect([path, await answering(path)]).toEqual([path, 'the primary'])
  for (const path of ['/', '/p/rocket', host.health.path, api.projects.mine.path, download])
    expect([path, await answering(path)]).toEqual([path, 'the replica'])
  expect(await answering('/p/rocket', { method: 'POST' })).toBe('the primary')
  expect(await answering('/t/a-token', { headers: { authorization: 'Basic YTpi' } })).toBe(
    'the primary',
  )
  const posts = () => answering('/api/pairings', { method: 'POST' })
  expect([await posts(), await posts(), JSON.parse(await posts())]).toEqual([
    ...['the primary', 'the primary'],
    expect.objectContaining({ code: 'too_many_requests' }),
  ])
})
