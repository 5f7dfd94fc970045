import type { Host } from '../../../server/contract'
import type { ActivityDelta } from '../../../server/data/library/activity-deltas'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { InternalApi } from '../../../server/cluster/forwarding/internal-api'
import { continueBody } from '../../../server/http/receive/pump-body'
import { RawClient } from '../../support/network/raw-client'
import { aDoor, aHost, aLine, anAddress, aPair, aStranger, aTiming, SECRET } from './internal'
import type { Context } from 'koa'

afterEach(() => void vi.useRealTimers())

const post = (port: number, body = 'a build') =>
  fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'text/plain' },
  })

/** Answers with the body and what it does to it. */
const echo = (name: string) => async (ctx: Context) => {
  continueBody(ctx)
  let text = ''
  for await (const chunk of ctx.req) text += String(chunk)
  ctx.body = `${name}: ${text}`
}

test('a host that is not the primary refuses before it reads, and the request goes to another', async () => {
  const [old, young] = [await aHost(echo('old')), await aHost(echo('young'))]
  const addresses = [await anAddress(), await anAddress()]
  await aDoor({ address: addresses[0]!, answer: old.answer, isPrimary: () => false })
  await aDoor({ address: addresses[1]!, answer: young.answer })
  let looks = 0
  const refresh = () => Promise.resolve(void looks++)
  const { line } = aLine({
    primary: () => addresses[looks < 3 ? 0 : 1],
    refresh,
    timing: aTiming(() => undefined),
  })
  const replica = await aHost((ctx) => line.pass(ctx))
  expect(await (await post(replica.port)).text()).toBe('young: a build')
  expect(looks).toBe(3)
})

test('a request waits for a primary, and is refused with 503 after 12 s', async () => {
  const address = await anAddress()
  const { answer } = await aHost(echo('primary'))
  let isKnown = false
  const timing = aTiming(async (pauses) => {
    isKnown = pauses >= 10
    if (pauses === 30) await aDoor({ address, answer })
  })
  const { line, warnings } = aLine({ primary: () => (isKnown ? address : undefined), timing })
  const replica = await aHost((ctx) => line.pass(ctx))
  expect(await (await post(replica.port)).text()).toBe('primary: a build')
  expect(warnings).toEqual([`the primary at ${address} cannot be reached`])

  let pauses = 0
  const failing = () => Promise.reject(new Error('PostgreSQL is away'))
  const primary = () => (pauses % 2 === 0 ? undefined : 'an address of a later version')
  const none = aLine({ primary, refresh: failing, timing: aTiming((count) => (pauses = count)) })
  await none.line.look()
  const alone = await aHost((ctx) => none.line.pass(ctx))
  const refusal = await post(alone.port)
  expect(refusal.status).toBe(503)
  expect(refusal.headers.get('retry-after')).toBe('2')
  expect(await refusal.json()).toMatchObject({
    code: 'busy',
    error: expect.stringContaining('nothing was changed'),
  })
  expect(pauses).toBe(120)
  // By now it is known that there is none.
  expect((await post(alone.port)).status).toBe(503)
  expect(pauses).toBe(140)
})

test('what the primary may have done is not asked again, but what only reads is', async () => {
  const asked: string[] = []
  const { replica } = await aPair(async (ctx) => {
    asked.push(ctx.method)
    ctx.body = 'again'
    if (asked.filter((method) => method === ctx.method).length > 1) return
    if (ctx.method === 'POST') for await (const _ of (continueBody(ctx), ctx.req));
    ctx.respond = false
    ctx.socket.destroy()
  })
  const refusal = await post(replica.port)
  expect(refusal.status).toBe(503)
  expect(refusal.headers.get('retry-after')).toBe('2')
  expect(await refusal.json()).toMatchObject({
    error: expect.stringContaining('See whether your change was made'),
  })
  const removal = await fetch(`http://127.0.0.1:${replica.port}/`, { method: 'DELETE' })
  expect(removal.status).toBe(503)
  expect(await (await fetch(`http://127.0.0.1:${replica.port}/`)).text()).toBe('again')
  expect(asked).toEqual(['POST', 'DELETE', 'GET', 'GET'])
})

test('connections that the last primary has closed fail no change', async () => {
  const { replica, primary, door, address } = await aPair(echo('primary'))
  for (let round = 0; round < 3; round++) expect((await post(replica.port)).status).toBe(200)
  await door.close(1000)
  await aDoor({ address, answer: primary.answer })
  expect((await post(replica.port)).status).toBe(200)
})

test('a client does not wait for a primary that hangs once another has replaced it', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const asked = Promise.withResolvers()
  const { answer } = await aHost((ctx) => {
    ctx.respond = false
    asked.resolve(undefined)
  })
  const address = await anAddress()
  await aDoor({ address, answer })
  let primary = address
  const { line } = aLine({ primary: () => primary })
  const replica = await aHost((ctx) => line.pass(ctx))
  const reply = post(replica.port)
  await asked.promise
  vi.advanceTimersByTime(60_000)
  primary = await anAddress()
  vi.advanceTimersByTime(6000)
  expect((await reply).status).toBe(503)
})

test('hosts with different secrets neither ask nor answer each other, and log it once', async () => {
  const { answer } = await aHost(() => {
    throw new Error('asked')
  })
  const address = await anAddress()
  await aDoor({ address, answer, secret: SECRET.replace('the', 'a') })
  const { line, warnings } = aLine({ primary: () => address, timing: aTiming(() => undefined) })
  const replica = await aHost((ctx) => line.pass(ctx))
  expect((await post(replica.port)).status).toBe(503)
  expect(warnings).toEqual([
    `the primary at ${address} does not prove the secret of the cluster: "secret" must be the same in all --cluster files`,
  ])

  const heard: Buffer[] = []
  const stranger = await aStranger((bytes) => {
    heard.push(bytes)
    return 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'
  })
  const fooled = aLine({ primary: () => stranger, timing: aTiming(() => undefined) })
  const other = await aHost((ctx) => fooled.line.pass(ctx))
  expect((await post(other.port, 'private')).status).toBe(503)
  expect(heard.length).toBeGreaterThan(0)
  expect(Buffer.concat(heard).toString('latin1')).not.toMatch(/private|POST/)

  const plain = await RawClient.connect(Number(address.split(':')[1]))
  plain.head(0, 'GET /')
  await plain.closed
  expect(plain.received).not.toContain('HTTP/1.1 2')
})

test('sends deltas together, keeps them without a primary, and sends the rest at the end', async () => {
  const posts: (readonly ActivityDelta[])[] = []
  const arrived = Promise.withResolvers()
  const { answer } = await aHost(() => undefined)
  const address = await anAddress()
  const onActivity = (deltas: readonly ActivityDelta[]) => {
    posts.push(deltas)
    arrived.resolve(undefined)
  }
  let isPrimary = false
  await aDoor({ address, answer, onActivity, isPrimary: () => isPrimary })
  let refusals = 0
  const { line } = aLine({ primary: () => (refusals++ > 0 ? address : undefined) })
  const view = (visitor: string): ActivityDelta => ({
    kind: 'viewed',
    visitor,
    projectId: 'p',
    referrer: '',
  })
  for (const visitor of ['a', 'b', 'a']) line.record(view(visitor))
  await expect.poll(() => refusals).toBeGreaterThan(1)
  isPrimary = true
  await arrived.promise
  expect(posts).toEqual([[view('a'), view('b')]])
  for (let index = 0; index < 4001; index++) line.record(view(`visitor ${index}`))
  await line.close()
  expect(posts.slice(1).map((deltas) => deltas.length)).toEqual([2000, 2000, 1])
})

test('a replica knows why its primary cannot save, and after a while that it reaches none', async () => {
  const address = await anAddress()
  let now = 0
  const timing = { elapsed: () => now, pause: () => Promise.resolve() }
  const { line } = aLine({ primary: () => address, timing })
  await line.look()
  expect(line.trouble).toBeNull()
  let trouble: Host['trouble'] = null
  const { answer } = await aHost(() => undefined)
  await aDoor({ address, answer, trouble: () => trouble })
  for (const next of ['full', 'failing', null] as const) {
    trouble = next
    await line.look()
    expect(line.trouble).toBe(next)
  }
  now = 12_001
  expect(line.trouble).toBe('no_primary')
  await line.look()
  expect(line.trouble).toBeNull()
})

test('the internal API says what is wrong with its address', async () => {
  const other = createServer()
  onTestFinished(() => void other.close())
  const address = await anAddress()
  await once(other.listen(Number(address.split(':')[1]), '127.0.0.1'), 'listening')
  const open = (at: string) =>
    InternalApi.open({
      address: at,
      secret: SECRET,
      answer: () => undefined,
      onActivity: () => undefined,
      isPrimary: () => true,
      trouble: () => null,
    })
  await expect(open(address)).rejects.toThrow(`${address} failed: another program has this port`)
  await expect(open('203.0.113.7:4405')).rejects.toThrow(
    'failed: this computer has no such address',
  )
})
