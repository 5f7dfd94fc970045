import { expect, vi } from 'vitest'
import { adminCalls } from '../../../server/admin/calls'
import { shareWithInternet } from '../../../server/cli/share-internet'
import { aUser } from '../../support/factories'
import { NUMBER, test } from '../../support/network/small-home'

const OPEN = `Anyone can reach this host at https://${NUMBER}`

test('--share internet opens the host once it has an account, and prints its address', async ({ server, router }) => {
  const printed: string[] = []
  shareWithInternet(server, { way: 'router', terms_accepted: true }, (text) => printed.push(text))
  expect(printed).toEqual(['This host opens to the internet once it has a host account.'])
  expect(router.asked).toEqual([])

  await aUser(server, 'host', { isHost: true })
  await vi.waitFor(() => expect(printed).toContain(OPEN), { timeout: 15_000 })
  expect(printed).toContain('Opening this host to the internet.')
  expect(server.context.data.settings.get().registrationOpen).toBe(false)
  const { events } = await server.context.accounts.audit.page({ limit: 1, kind: 'internet_open' })
  expect(events[0]).toMatchObject({ via: 'command_line', subject: 'router' })
})

test('--share internet prints why it cannot open, and what to do', async ({ server, router }) => {
  await aUser(server, 'host', { isHost: true })
  router.does.outerAddress = '100.64.0.10'
  const printed: string[] = []
  shareWithInternet(server, { way: 'router', terms_accepted: true }, (text) => printed.push(text))

  const line = 'The provider shares one internet address among customers.'
  await vi.waitFor(() => expect(printed.at(-1)).toContain(line), { timeout: 15_000 })
  expect(printed.at(-1)).toContain('--tunnel USER@SERVER')
})

const unlimited = test.extend({ config: { rateLimits: false } })
unlimited('--share internet prints what prevents opening', async ({ server }) => {
  await aUser(server, 'host', { isHost: true })
  const printed: string[] = []
  shareWithInternet(server, { way: 'router', terms_accepted: true }, (text) => printed.push(text))
  await vi.waitFor(() => expect(printed.at(-1)).toMatch(/is not open to the internet: Rate limits are off/))
})

test('slipway reach asks the running host, which asks the router and opens nothing', async ({ server, router }) => {
  const { internet } = await adminCalls['internet.check'].handle({ ask_outside: false }, server.context)
  expect(internet).toMatchObject({
    state: 'off',
    outer_address: NUMBER,
    router: { protocols: expect.any(Array) as [] },
  })
  expect(router.mappings.size).toBe(0)
})

const overridden = test.extend({ config: { rateLimits: true, internet: { way: 'off' as const, port: 4780 } } })
overridden(
  'options of the command line are named, and hold until a person changes them',
  async ({ atWindow, server }) => {
    const { client } = atWindow
    expect((await client.settings.show({})).overridden).toEqual(['internet_port'])
    await client.internet.open({ way: 'router', terms_accepted: true })
    await vi.waitFor(async () => expect((await client.internet.show({})).internet.external_port).toBe(4780))
    await client.internet.close({})
    expect(server.context.data.settings.get().internet).toMatchObject({ way: 'off', port: 443 })
  },
)
