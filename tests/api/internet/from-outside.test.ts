import { describe, expect } from 'vitest'
import { ask, opened, test } from '../../support/network/small-home'

describe('people from outside', () => {
  test('are counted, also their failed sign-ins', async ({ atWindow, server }) => {
    await opened(atWindow)
    await ask(server, '/')
    await ask(server, '/', { from: '11.77.1.51' })
    await ask(server, '/api/auth/login', { method: 'POST' })

    const { internet } = await atWindow.client.internet.show({})
    expect(internet).toMatchObject({ visitors: 2 })
  })
})

const again = test.extend({
  settings: async ({ authority }, use) => {
    const { directory } = authority
    const internet = { way: 'router', termsAccepted: directory, acmeDirectory: directory, stunServer: '' }
    await use({ internet })
  },
})
again('a start without a host account opens nothing, whatever the settings say', async ({ server, router }) => {
  expect(server.context.network.internet.view()).toMatchObject({ blockers: ['no_host_account'], url: null })
  expect(router.asked).toEqual([])
})
