import { once } from 'node:events'
import { createServer, IncomingMessage, ServerResponse } from 'node:http'
import { Socket, type AddressInfo } from 'node:net'
import { expect, test as base } from 'vitest'
import { HeavyReplies } from '../../../server/http/endpoint/heavy-replies'
import { RawClient } from '../../support/network/raw-client'

/** A server that records the replies in progress and never answers by itself. */
const test = base.extend<{ server: { port: number; begun: ServerResponse[]; refused: string[] } }>({
  server: async ({}, use) => {
    const replies = new HeavyReplies({ atOnce: 2, waiting: 3, waitMs: 60_000 })
    const [begun, refused] = [[] as ServerResponse[], [] as string[]]
    const server = createServer((_request, response) => {
      replies.enter('192.0.2.1', response).then(
        () => begun.push(response),
        (cause: unknown) => {
          refused.push((cause as { code: string }).code)
          response.end()
        },
      )
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    await use({ port, begun, refused })
    server.closeAllConnections()
    server.close()
  },
})

test('a reply starts at once at rest; the next one after turns of the event loop for the time that it took', async () => {
  let now = 0
  const replies = new HeavyReplies({ atOnce: 9, waiting: 0, waitMs: 0 }, () => now)
  const enter = () =>
    replies.enter('192.0.2.1', new ServerResponse(new IncomingMessage(new Socket())))
  let turns = 0
  let turnMs = 0
  const count = () => {
    turns++
    now += turnMs
    immediate = setImmediate(count)
  }
  let immediate = setImmediate(count)

  await enter()
  expect(turns).toBe(0)
  now += 1.5
  await enter()
  expect(turns).toBe(15)
  now += 60_000
  await enter()
  expect(turns).toBe(15 + 32)
  // Turns that transfers fill: one for the reply and one for the others.
  turnMs = 4
  await enter()
  turns = 0
  await enter()
  expect(turns).toBeLessThanOrEqual(2)
  clearImmediate(immediate)
})

const asked = async (port: number) => (await RawClient.connect(port)).head(port, 'GET /')

test('runs two at a time and queues three; refuses a sixth at once', async ({
  server: { port, begun, refused },
}) => {
  for (let client = 0; client < 6; client++) await asked(port)

  await expect.poll(() => refused).toEqual(['too_many_requests'])
  await expect.poll(() => begun.length).toBe(2)
})

test('a reply counts until it has been sent, then the next one starts', async ({
  server: { port, begun },
}) => {
  for (let client = 0; client < 4; client++) await asked(port)
  await expect.poll(() => begun.length).toBe(2)

  begun[0]?.end('done')
  await expect.poll(() => begun.length).toBe(3)
  begun[2]?.write('half')
  begun[1]?.end('done')
  await expect.poll(() => begun.length).toBe(4)
})

test('a client that leaves frees its turn, running or waiting', async ({
  server: { port, begun, refused },
}) => {
  const [first] = [await asked(port), await asked(port)]
  await expect.poll(() => begun.length).toBe(2)
  const waiting = [await asked(port), await asked(port), await asked(port)]
  await asked(port)
  await expect.poll(() => refused.length).toBe(1)

  waiting[0]?.close()
  await expect.poll(() => refused.length).toBe(2)
  await asked(port)
  first.close()
  await expect.poll(() => begun.length).toBe(3)
  expect(refused).toHaveLength(2)
})
