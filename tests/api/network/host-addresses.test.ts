import { describe, expect } from 'vitest'
import { aUser } from '../../support/factories'
import { problem, replyOf } from '../../support/network/reply'
import { test as base, type TestServer } from '../../support/test-server'

async function atWindow(server: TestServer) {
  return (await server.atWindow(await aUser(server, 'host', { isHost: true }))).client
}

describe('host.ping', () => {
  base('proves which host answers, to itself alone', async ({ server }) => {
    const nonce = 'a-nonce-of-16-up'
    const { proof } = await server.visitor().host.ping({ nonce })

    expect(proof).toBe(server.context.network.addresses.proof.of(nonce))
    expect(await server.visitor().host.ping({ nonce: `${nonce}x` })).not.toEqual({ proof })
  })

  base.for(['', 'short', 'x'.repeat(65), 'a nonce with spaces'])(
    'refuses the nonce "%s"',
    async (nonce, { server }) => {
      const path = `/api/host/ping?nonce=${encodeURIComponent(nonce)}`

      expect(await replyOf(server.fetch(path))).toEqual(problem('invalid_input', 'nonce'))
    },
  )
})

describe('host.addresses', () => {
  base('tells what answers, where only this computer is served', async ({ server }) => {
    const { addresses } = await (await atWindow(server)).host.addresses({})

    expect(addresses).toEqual([{ url: server.url, kind: 'loopback', offered: false, test: 'ok' }])
  })

  const onNetwork = base.extend({ config: { host: '0.0.0.0' } })
  onNetwork('tests every address of the machine by a real request', async ({ server }) => {
    const { addresses } = await (await atWindow(server)).host.addresses({ retest: 'true' })

    const byNumber = addresses.filter(({ kind }) => kind !== 'name')
    expect(byNumber.map(({ test }) => test)).toEqual(byNumber.map(() => 'ok'))
    expect(byNumber.map(({ url }) => url)).toContain(server.url)
    expect(addresses.find(({ offered }) => offered)?.url).toBe(server.context.network.addresses.best())
  })

  const published = base.extend({ config: { publicUrl: 'http://127.0.0.1:9' } })
  published('tells that nobody answers at the public URL', async ({ server }) => {
    const { addresses } = await (await atWindow(server)).host.addresses({})

    expect(addresses[0]).toEqual({ url: 'http://127.0.0.1:9', kind: 'public', offered: true, test: 'unanswered' })
  })

  base('moving to the network is news', async ({ server }) => {
    let changes = 0
    server.context.network.addresses.onChange(() => changes++)
    await server.listen('0.0.0.0', server.port)

    expect(changes).toBe(1)
  })
})
