import { once } from 'node:events'
import { get } from 'node:http'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { awaitResponse } from '../../../server/core/net/await-response'

/** A server that sends this to each request, then says nothing more. */
async function aServer(bytes: string): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).once('data', () => socket.write(bytes))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.for([
  ['101 alone', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
  ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'],
] as const)('a server that answers with %s is given up at once', async ([, bytes]) => {
  await expect(awaitResponse(get(await aServer(bytes)))).rejects.toMatchObject({
    code: 'ECONNRESET',
  })
})

test.for([
  ['nothing', ''],
  ['103 only', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
] as const)('the signal ends waiting for a server that answers with %s', async ([, bytes]) => {
  const closing = new AbortController()
  const waiting = awaitResponse(get(await aServer(bytes)), closing.signal)
  closing.abort()
  await expect(waiting).rejects.toMatchObject({ code: 20 })
})

test('the signal ends reading a body that stays incomplete', async () => {
  const closing = new AbortController()
  const url = await aServer('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf')
  const response = await awaitResponse(get(url), closing.signal)
  const reading = buffer(response)
  closing.abort()
  await expect(reading).rejects.toMatchObject({ code: 'ABORT_ERR' })
})
