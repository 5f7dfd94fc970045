import { describe, expect } from 'vitest'
import { test as base } from '../../support/world/http'

describe('host.ping', () => {
  base('returns a proof that only this host can compute', async ({ server }) => {
    const nonce = 'a-nonce-of-16-up'
    const { proof } = await server.visitor().host.ping({ nonce })

    expect(proof).toBe(server.inside.addresses.proof.of(nonce))
    expect(await server.visitor().host.ping({ nonce: `${nonce}x` })).not.toEqual({ proof })
  })
})

describe('host.addresses', () => {
  base(
    'returns the loopback address when only this computer is served',
    async ({ server, atWindow: { client } }) => {
      const { addresses } = await client.host.addresses({})

      expect(addresses).toEqual([
        { url: server.url, kind: 'loopback', offered: false, test: 'ok', last_visit: null },
      ])
    },
  )

  const onNetwork = base.extend({ config: { host: '0.0.0.0' } })
  onNetwork(
    'tests every address of the machine by a real request',
    async ({ server, atWindow: { client } }) => {
      const { addresses } = await client.host.addresses({ retest: 'true' })

      const byNumber = addresses.filter(({ kind }) => kind !== 'name')
      expect(byNumber.map(({ test }) => test)).toEqual(byNumber.map(() => 'ok'))
      expect(byNumber.map(({ url }) => url)).toContain(server.url)
      expect(addresses.find(({ offered }) => offered)?.url).toBe(server.inside.addresses.best())
    },
  )

  const published = base.extend({ config: { publicUrl: 'http://127.0.0.1:9' } })
  published('reports a public URL that does not answer', async ({ atWindow: { client } }) => {
    const { addresses } = await client.host.addresses({})

    expect(addresses[0]).toEqual({
      url: 'http://127.0.0.1:9',
      kind: 'public',
      offered: true,
      test: 'unanswered',
      last_visit: null,
    })
  })

  base('emits one change when the host moves to the network', async ({ server }) => {
    let changes = 0
    server.inside.addresses.onChange(() => changes++)

    await server.listen('0.0.0.0', server.port)

    expect(changes).toBe(1)
  })
})

describe('host.phoneTest', () => {
  const PHONE = { 'x-forwarded-for': '192.0.2.50' }
  /** Behind a trusted proxy, the test can act as another device. */
  const onNetwork = base.extend({ config: { host: '0.0.0.0', trustProxy: ['127.0.0.1'] } })

  onNetwork(
    'proves that an address works when another device opens the link',
    async ({ server, skip, atWindow: { client } }) => {
      skip(server.inside.addresses.bestOwn() === undefined, 'this machine is in no network')
      const { url, firewall } = await client.host.phoneTest({})
      const { host, pathname, origin } = new URL(url)
      const tested = async () =>
        (await client.host.addresses({})).addresses.find((it) => it.url === origin)

      expect(await tested()).toMatchObject({ test: 'ok', last_visit: null })
      expect(['windows', 'macos', 'ufw', 'firewalld', 'nftables']).toContain(firewall)

      const open = (headers: Record<string, string>) =>
        server.fetch(pathname, { headers: { 'x-forwarded-host': host, ...headers } })

      expect(await (await open({})).text()).toContain('This is the computer of the host')
      expect(await tested()).toMatchObject({ last_visit: null })

      expect(await (await open(PHONE)).text()).toContain('<h1>This device reaches the host</h1>')
      expect(await tested()).toMatchObject({
        test: 'visited',
        last_visit: server.clock.now().toISOString(),
      })

      expect((await open(PHONE)).status).toBe(410)
    },
  )
})
