import { once } from 'node:events'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { expect, onTestFinished, test } from 'vitest'
import { memorySource } from '../../../../server/core/byte-source'
import { ConnectionLost } from '../../../../server/core/errors'
import { planReply, sendBody, type Sendable } from '../../../../server/http/send/send-file'
import { SharedBlocks } from '../../../../server/http/send/shared-blocks'
import { unlimited } from '../../../../server/http/transfers/bandwidth'

const KIB = 1024

test('a file is closed only after the read ahead of an aborted download', async () => {
  const events: string[] = []
  const [disk, line] = [Promise.withResolvers<undefined>(), Promise.withResolvers<number>()]
  const read = async (_into: Buffer, _offset: number, length: number, position: number) => {
    if (position >= 1024 * KIB) await disk.promise
    events.push(`read ${position / KIB}`)
    return { bytesRead: length }
  }
  const file: Sendable = {
    filename: 'a.bin',
    size: 2 ** 40,
    tag: 'a',
    modifiedAt: '2030-01-02T03:04:05.000Z',
    keeping: 'public',
    open: () => Promise.resolve({ read, close: () => Promise.resolve(void events.push('close')) }),
    delivered: () => undefined,
  }
  // The first large block waits for the line.
  let taken = 0
  const flow = { take: (bytes: number) => ((taken += bytes) > 512 * KIB ? line.promise : bytes) }
  const blocks = new SharedBlocks()
  const [left, ended] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()]
  const app = new Koa()
  app.silent = true
  app.use(async (ctx) => {
    ctx.res.once('close', () => left.resolve(undefined))
    const plan = planReply(ctx, file)
    await expect(plan && sendBody(ctx, file, plan, blocks, flow)).rejects.toThrow(ConnectionLost)
    ended.resolve(undefined)
  })
  const server = app.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const request = get({
    port: (server.address() as AddressInfo).port,
    host: '127.0.0.1',
    agent: false,
  })
  request.on('error', () => undefined).on('response', (response) => response.resume())
  await expect.poll(() => blocks.used).toBe(2)
  request.destroy()
  await left.promise
  line.resolve(1)
  await expect.poll(() => blocks.used).toBe(1)
  const beforeTheRead = [...events]
  disk.resolve(undefined)
  await ended.promise

  expect(beforeTheRead).not.toContain('close')
  expect(events.slice(-3)).toEqual(['read 512', 'read 1024', 'close'])
  expect(blocks.used).toBe(0)
})

test('a file that goes out in one write keeps the letters of its name', async () => {
  const app = new Koa()
  const bytes = Buffer.from('hello')
  app.use(async (ctx) => {
    const file: Sendable = {
      ...{
        filename: 'é.bin',
        size: bytes.length,
        tag: 'a',
        modifiedAt: '2030-01-02T03:04:05.000Z',
        keeping: 'public',
      },
      open: () => Promise.resolve(memorySource(bytes)),
      delivered: () => undefined,
    }
    const plan = planReply(ctx, file)
    if (plan) await sendBody(ctx, file, plan, new SharedBlocks(), unlimited)
  })
  const server = app.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  for (const method of ['GET', 'HEAD']) {
    const { headers } = await fetch(`http://127.0.0.1:${port}/`, { method })
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="_.bin"; filename*=UTF-8''%C3%A9.bin`,
    )
  }
})
