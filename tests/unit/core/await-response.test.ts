import { get } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { awaitResponse } from '../../../server/core/net/await-response'
import { aRudeServer } from '../../support/network/rude-server'

test.for([
  ['101 alone', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
  ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'],
] as const)('a server that answers with %s is given up at once', async ([, bytes]) => {
  await expect(awaitResponse(get((await aRudeServer(bytes)).url))).rejects.toMatchObject({
    code: 'ECONNRESET',
  })
})

test.for([
  ['nothing', ''],
  ['103 only', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
] as const)('the signal ends waiting for a server that answers with %s', async ([, bytes]) => {
  const closing = new AbortController()
  const waiting = awaitResponse(get((await aRudeServer(bytes)).url), closing.signal)
  closing.abort()
  await expect(waiting).rejects.toMatchObject({ code: 20 })
})

test('the signal ends reading a body that stays incomplete', async () => {
  const closing = new AbortController()
  const { url } = await aRudeServer('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf')
  const response = await awaitResponse(get(url), closing.signal)
  const reading = buffer(response)
  closing.abort()
  await expect(reading).rejects.toMatchObject({ code: 'ABORT_ERR' })
})
