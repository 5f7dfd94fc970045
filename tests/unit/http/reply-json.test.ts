import { createServer } from 'node:http'
import Koa, { type Context } from 'koa'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { checkReply } from '../../../server/http/endpoint/check-reply'
import { replyToCall } from '../../../server/http/endpoint/reply-json'
import { servingFrom } from '../../../server/http/endpoint/serving'
import { TestClock } from '../../support/world/test-clock'
import { RawClient } from '../../support/network/raw-client'
import { listening } from '../../support/system/listening'

const schema = z.object({
  file: z.object({ id: z.string(), note: z.string().nullish() }),
  tags: z.array(z.object({ name: z.string() })).optional(),
})
const check = (reply: object) => checkReply('GET /api/file', schema, reply)

test('a reply is exactly what the contract says', () => {
  expect(() => check({ file: { id: 'a' } })).not.toThrow()
  expect(() => check({ file: { id: 'a', note: undefined }, tags: [{ name: 'x' }] })).not.toThrow()
})

test.for<[string, object]>([
  ['an unknown field', { file: { id: 'a' }, passwordHash: 'x' }],
  ['an unknown field within', { file: { id: 'a', ownerId: 'x' } }],
  ['an unknown field in a list', { file: { id: 'a' }, tags: [{ name: 'x', secret: 1 }] }],
  ['a missing field', { file: {} }],
  ['another type', { file: { id: 7 } }],
])('a reply with %s is refused', ([, reply]) => {
  expect(() => check(reply)).toThrow()
})

test('a default of the contract is no excuse: it would be missing in production', () => {
  const withDefault = z.object({ size: z.number().default(0) })
  expect(() => checkReply('GET /api/file', withDefault, {})).toThrow('the contract says {"size":0}')
})

/** More than the buffers of the system take. */
const LARGE = 'x'.repeat(32_000_000)

test('a client that does not read its reply is cut', async () => {
  const endpoint = {
    method: 'GET',
    path: '/api/file',
    reply: z.object({ text: z.string() }),
  } as const
  const app = new Koa()
  app.silent = true
  app.context['serving'] = servingFrom(
    { patience: { unreadMs: 500 }, rateLimits: false },
    new TestClock(),
    {
      revision: 0,
    },
  )
  app.use((ctx: Context) => replyToCall(ctx, endpoint, { text: LARGE }))
  const handle = app.callback()
  const server = createServer((request, response) => void handle(request, response))
  const port = await listening(server)
  const ended = new Promise((resolve) =>
    server.once('connection', (socket) => socket.once('close', resolve)),
  )
  const idler = await RawClient.connect(port)
  idler.socket.pause()
  idler.head(port, 'GET /api/file')

  await ended
  idler.close()
})
