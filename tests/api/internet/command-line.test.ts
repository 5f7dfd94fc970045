import { expect } from 'vitest'
import { aUser } from '../../support/world/factories'
import { NUMBER, test } from '../../support/network/small-home'

const OPEN = `Anyone can reach this host at https://${NUMBER}`

test('--share internet opens the host once it has an account, and prints its address', async ({
  server,
  router,
}) => {
  const printed: string[] = []
  server.inside.shareWithInternet({ way: 'router', terms_accepted: true }, (text) =>
    printed.push(text),
  )
  expect(printed).toEqual(['This host opens to the internet once it has a host account.'])
  expect(router.asked).toEqual([])

  await aUser(server, 'host', { isHost: true })
  await expect.poll(() => printed).toContain(OPEN)
  expect(printed).toContain('Opening this host to the internet…\nThis takes a few seconds.')
  expect(server.inside.settings.get().registration_open).toBe(false)
  const { events } = await server.inside.audit.page({ limit: 1, kind: 'internet_open' })
  expect(events[0]).toMatchObject({ via: 'command_line', subject: 'router' })
})

const unlimited = test.extend({ config: { rateLimits: false } })
unlimited('--share internet prints what prevents opening', async ({ server }) => {
  await aUser(server, 'host', { isHost: true })
  const printed: string[] = []
  server.inside.shareWithInternet({ way: 'router', terms_accepted: true }, (text) =>
    printed.push(text),
  )
  await expect
    .poll(() => printed.at(-1))
    .toMatch(/is not open to the internet: Rate limits are off/)
})

const overridden = test.extend({
  config: { rateLimits: true, internet: { internet_way: 'off' as const, internet_port: 4780 } },
})
overridden(
  'options of the command line are named, and hold until a person changes them',
  async ({ atWindow, server }) => {
    const { client } = atWindow
    expect((await client.settings.show({})).overridden).toEqual(['internet_port'])
    await client.internet.open({ way: 'router', terms_accepted: true })
    await expect
      .poll(async () => (await client.internet.show({})).internet.external_port)
      .toBe(4780)
    await client.internet.close({})
    expect(server.inside.settings.get()).toMatchObject({ internet_way: 'off', internet_port: 443 })
  },
)
