import { rename } from 'node:fs/promises'
import { expect } from 'vitest'
import { ask, opened, settled, test } from '../../support/network/small-home'

test('a visitor proves that people reach this host, and a device at home does not', async ({
  atWindow,
  server,
}) => {
  const { client } = atWindow
  const shown = async () => (await client.internet.show({})).internet
  await client.internet.open({ way: 'router', terms_accepted: true, port: 4780 })
  expect(await settled(atWindow)).toMatchObject({ state: 'unproven', proof: null })
  expect((await client.host.addresses({})).addresses[0]).toMatchObject({
    kind: 'public',
    test: 'untested',
  })

  await ask(server, '/', { from: '192.168.1.50' })
  expect(await shown()).toMatchObject({ state: 'unproven', proof: null })
  await ask(server, '/')
  expect(await shown()).toMatchObject({ state: 'open', proof: { by: 'visitor' } })
})

test('people from outside are counted, and failed sign-ins', async ({ atWindow, server }) => {
  await opened(atWindow)
  await ask(server, '/')
  const body = JSON.stringify({ username: 'host', password: 'a guess' })
  expect((await ask(server, '/api/auth/login', { from: '11.77.1.51', body })).status).toBe(401)

  const { internet } = await atWindow.client.internet.show({})
  expect(internet).toMatchObject({ visitors: 2, failed_sign_ins: 1 })
})

test('a host without its data folder closes', async ({ atWindow, server, router, log }) => {
  await opened(atWindow)
  await rename(server.dataDir, `${server.dataDir}-away`)
  await expect.poll(() => router.mappings.size).toBe(0)
  expect(server.inside.outsideDoor.port).toBeUndefined()
  // Until it is closed, the host logs that it cannot write.
  await server.close()
  log.takeErrors()
})

const again = test.extend({
  settings: async ({ authority }, use) => {
    const { directory } = authority
    await use({
      internet_way: 'router',
      terms_accepted: directory,
      acme_directory: directory,
      stun_server: '',
    })
  },
})
again(
  'a start without a host account opens nothing, even if the settings say so',
  async ({ server, router }) => {
    expect(server.inside.internet.view()).toMatchObject({
      blockers: ['no_host_account'],
      url: null,
    })
    expect(router.asked).toEqual([])
  },
)
