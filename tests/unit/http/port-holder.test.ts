import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { describeObstacle } from '../../../server/http/listen/port-holder'
import { nextFreePort } from '../../../server/network/free-port'

test('a port that Windows reserves is called so, and needs no administrator', async () => {
  expect(await describeObstacle('EACCES', 4780)).toBe('reserved by the system')
  expect(await describeObstacle('EACCES', 443)).toBeUndefined()
})

// Other systems have one address for themselves.
test.runIf(process.platform === 'linux')(
  'finds a free port beyond a block of a hundred that cannot be had',
  async () => {
    const host = `127.77.${process.pid % 250}.1`
    const block = Array.from({ length: 100 }, (_, at) => createServer().listen(20_000 + at, host))
    onTestFinished(() => block.forEach((server) => server.close()))
    await Promise.all(block.map((server) => once(server, 'listening')))
    expect(await nextFreePort(host, 20_000)).toBe(20_100)
  },
)
