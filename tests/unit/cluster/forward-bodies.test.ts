import { once } from 'node:events'
import { Readable, Writable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from 'koa'
import { expect, test } from 'vitest'
import { MB } from '../../../server/contract'
import { AppError } from '../../../server/core/errors'
import { forwardToPrimary } from '../../../server/cluster/forwarding/request-guards'
import { continueBody, pumpBody } from '../../../server/http/receive/pump-body'
import { RawClient } from '../../support/network/raw-client'
import { aHost, aPair } from './internal'

const LONG = String(2 * 1024 * MB)
/** What the system and both hosts may hold of a body on its way. */
const ON_THE_WAY = 32 * MB

test('reads no byte of a body before the primary has checked the permission', async () => {
  const checked = Promise.withResolvers()
  const asked = Promise.withResolvers()
  const { replica } = await aPair(async (ctx) => {
    asked.resolve(undefined)
    await checked.promise
    continueBody(ctx)
    for await (const chunk of ctx.req) ctx.body = String(chunk)
  })
  const client = await RawClient.connect(replica.port)
  client.head(replica.port, 'PUT /', {
    'Content-Length': '3',
    Expect: '100-continue',
    Connection: 'close',
  })
  await asked.promise
  expect(client.received).toBe('')
  checked.resolve(undefined)
  await once(client.socket, 'data')
  expect(client.received).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  client.write('abc')
  await client.closed
  expect(client.received).toMatch(/HTTP\/1.1 200 OK[^]*\r\n\r\nabc$/)
})

test('a refused client gets the reply while it sends, and the primary receives none of it', async () => {
  const read = Promise.withResolvers<number>()
  const { replica } = await aPair(({ socket }) => {
    socket.once('close', () => read.resolve(socket.bytesRead))
    throw new AppError('sign_in_required', 'Sign in')
  })
  const client = await RawClient.connect(replica.port)
  client.head(replica.port, 'PUT /', { 'Content-Length': LONG }).write(Buffer.alloc(400_000))
  expect(await client.reply()).toMatchObject({ status: 401, headers: { connection: 'close' } })
  expect(await read.promise).toBeLessThan(10_000)
  client.write(Buffer.alloc(4 * MB))
  await client.closed
})

test('a client learns in the middle of its upload that there is no room', async () => {
  const { replica } = await aPair(async (ctx) => {
    ctx.state.caller = { actor: { kind: 'user' } }
    continueBody(ctx)
    await once(ctx.req, 'data')
    ctx.req.pause()
    throw new AppError('quota_exceeded', 'There is no room')
  })
  const client = await RawClient.connect(replica.port)
  client.socket.pause()
  // As an account, it may send more than a stranger before it reads.
  client.head(replica.port, 'PUT /', { 'Content-Length': LONG })
  await new Promise((resolve) => client.socket.write(Buffer.alloc(8 * MB), resolve))
  client.socket.resume()
  expect(await client.reply()).toMatchObject({ status: 403, headers: { connection: 'close' } })
  client.close()
})

test('an upload arrives piece by piece, as slowly as the client sends it', async () => {
  const pieces = ['first', 'second', 'third']
  const arrivals = pieces.map(() => Promise.withResolvers<string>())
  const { replica } = await aPair(async (ctx) => {
    continueBody(ctx)
    let index = 0
    for await (const chunk of ctx.req) arrivals[index++]?.resolve(String(chunk))
    ctx.body = 'whole'
  })
  const client = await RawClient.connect(replica.port)
  client.head(replica.port, 'PUT /', { 'Content-Length': String(pieces.join('').length) })
  for (const [index, piece] of pieces.entries()) {
    client.write(piece)
    expect(await arrivals[index]?.promise).toBe(piece)
  }
  expect(await client.reply()).toMatchObject({ status: 200, body: 'whole' })
  client.close()
})

test('a client that leaves ends its upload and its download at the primary', async () => {
  const ends: string[] = []
  const begun = [Promise.withResolvers(), Promise.withResolvers()]
  const over = [Promise.withResolvers(), Promise.withResolvers()]
  const { replica } = await aPair(async (ctx) => {
    const isUpload = ctx.method === 'PUT'
    ctx.respond = false
    ctx.res.once('close', () => over[isUpload ? 0 : 1]?.resolve(ends.push(ctx.method)))
    if (!isUpload)
      return void ctx.res.writeHead(200).write('half', () => begun[1]?.resolve(undefined))
    continueBody(ctx)
    await once(ctx.req, 'data')
    begun[0]?.resolve(undefined)
    ctx.req.resume()
  })
  const [upload, download] = [
    await RawClient.connect(replica.port),
    await RawClient.connect(replica.port),
  ]
  upload.head(replica.port, 'PUT /', { 'Content-Length': LONG }).write('half')
  download.head(replica.port, 'GET /')
  await Promise.all(begun.map(({ promise }) => promise))
  upload.close()
  download.close()
  await Promise.all(over.map(({ promise }) => promise))
  expect(ends.sort()).toEqual(['GET', 'PUT'])
})

test.each([
  ['with a length', 'HTTP/1.1', { 'Content-Length': '100' }],
  ['in chunks', 'HTTP/1.1', {}],
  ['that the end of the connection would end', 'HTTP/1.0', {}],
])('a client can tell half a reply %s from a whole one', async (_name, version, headers) => {
  const cut = Promise.withResolvers()
  const { replica } = await aPair(async (ctx) => {
    ctx.respond = false
    ctx.res.writeHead(200, headers).write('half')
    await cut.promise
    ctx.res.destroy()
  })
  const client = await RawClient.connect(replica.port)
  client.write(`GET / ${version}\r\nHost: 127.0.0.1:${replica.port}\r\n\r\n`)
  while (!client.received.includes('half')) await once(client.socket, 'data')
  cut.resolve(undefined)
  await client.closed
  expect(client.socket.errored).toMatchObject({ code: 'ECONNRESET' })
})

test('neither host holds more of a body than the system does', async () => {
  const size = 96 * MB
  let lead = 0
  let ahead = 0
  const sent = (bytes: number) => (ahead = Math.max(ahead, (lead += bytes)))
  const { replica } = await aPair(async (ctx) => {
    if (ctx.method === 'PUT') await takeSlowly(ctx)
    else await give(ctx)
  })
  async function takeSlowly(ctx: Context) {
    continueBody(ctx)
    for await (const chunk of ctx.req as AsyncIterable<Buffer>) {
      lead -= chunk.length
      await nextTurn()
    }
    ctx.body = 'whole'
  }
  async function give({ res }: Context) {
    res.writeHead(200, { 'Content-Length': size })
    await write(res, () => res.end())
  }
  async function write(
    into: { write: (bytes: Buffer) => boolean } & NodeJS.EventEmitter,
    end: () => unknown,
  ) {
    for (let done = 0; done < size; done += MB) {
      sent(MB)
      if (!into.write(Buffer.alloc(MB))) await once(into, 'drain')
    }
    end()
  }
  const upload = await RawClient.connect(replica.port)
  upload.head(replica.port, 'PUT /', { 'Content-Length': String(size) })
  await write(upload.socket, () => undefined)
  expect(await upload.reply()).toMatchObject({ status: 200 })
  upload.close()

  lead = 0
  const reply = await fetch(`http://127.0.0.1:${replica.port}/`)
  for await (const chunk of reply.body!) {
    lead -= chunk.length
    await nextTurn()
  }
  expect(lead).toBe(0)
  expect(ahead).toBeLessThan(ON_THE_WAY)
})

test('the memory of what was passed on is free at once, without a garbage collection', async () => {
  const chunks = [Buffer.alloc(64 * 1024, 'a'), Buffer.alloc(64 * 1024, 'b')]
  const sent = Buffer.concat(chunks)
  const received: Buffer[] = []
  const into = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      received.push(Buffer.from(chunk))
      done()
    },
  })

  await pumpBody(Readable.from(chunks), into, { ownsChunks: true })
  await nextTurn()

  expect(Buffer.concat(received).equals(sent)).toBe(true)
  expect(chunks.map(({ length }) => length)).toEqual([0, 0])
})

test('slow bodies of calls take no place on the line, and visitors of one network only some', async () => {
  const ended = Promise.withResolvers()
  const { line } = await aPair(async (ctx) => {
    if (ctx.path === '/wait') await ended.promise
    continueBody(ctx)
    for await (const chunk of ctx.req) ctx.body = String(chunk)
  })
  const isVisitor = ({ path }: Context) => path !== '/signed-in'
  const { port } = await aHost(forwardToPrimary(line, { isVisitor, perHour: () => undefined }))
  const json = { 'Content-Type': 'application/json' }
  const slow = await Promise.all(Array.from({ length: 40 }, () => RawClient.connect(port)))
  for (const client of slow)
    client.head(port, 'POST /', { ...json, 'Content-Length': '5' }).write('"a')
  const post = (path: string, body = '"whole"') =>
    fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers: json, body })
  expect(await (await post('/')).text()).toBe('"whole"')
  expect((await post('/', `"${'x'.repeat(300_000)}"`)).status).toBe(413)
  slow[0]?.write('bc"')
  expect(await slow[0]?.reply()).toMatchObject({ status: 200, body: '"abc"' })

  const waiting = Array.from({ length: 32 }, () => post('/wait'))
  await expect.poll(async () => (await post('/')).status).toBe(429)
  expect((await post('/signed-in')).status).toBe(200)
  ended.resolve(undefined)
  for (const reply of await Promise.all(waiting)) expect(reply.status).toBe(200)
  expect((await post('/')).status).toBe(200)
  for (const client of slow) client.close()
})
