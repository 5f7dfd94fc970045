import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openNetwork, type Network } from '../../support/machines/network'
import type { Machine } from '../../support/internet/namespaces'
import { manageToken } from '../../support/world/process'
import { named, noRoot } from '../../support/system/rounds'
import { Curl } from '../support/curl'
import { openRelay } from '../support/ssh-relay'
import { tempDir } from '../../support/system/temp-dir'
import { startHost } from '../../support/world/place'

/** A host on the host machine, which listens on loopback alone unless `also` says otherwise. */
async function aHost({ host }: Network, registrationOpen: boolean, ...also: string[]) {
  const base = await tempDir()
  const dir = join(base, 'data')
  await mkdir(dir, { mode: 0o700 })
  await writeFile(
    join(dir, 'settings.json'),
    JSON.stringify({ registration_open: registrationOpen }),
  )
  const server = await startHost(dir, { under: [...host.enter], also, limited: true })
  const port = Number(new URL(server.url).port)
  const browser = (machine: Machine, url: string, name: string, ...headers: string[]) =>
    new Curl(machine, url, join(base, name), headers)
  const manageLink = () => manageToken(dir, [...host.enter])
  return { server, dir, port, browser, manageLink }
}

function aNetwork(): Network {
  const network = openNetwork()
  onTestFinished(() => network.close())
  return network
}

/**
 * How a stranger beyond the relay reaches a port of the host, calling it by the name that the host
 * has for itself.
 */
const beyond = (
  { visitor, ci }: Network,
  { port, browser }: Awaited<ReturnType<typeof aHost>>,
  ...more: string[]
) =>
  browser(visitor, `http://${ci.address}:${port}`, 'stranger', `Host: localhost:${port}`, ...more)

const timeout = 60_000

test.skipIf(noRoot)(
  named('a stranger who connects by ssh -R is not the person at the computer, by any host name'),
  { timeout },
  async () => {
    const network = aNetwork()
    const fresh = await aHost(network, true)
    const closed = await aHost(network, false)
    await openRelay(network.host, network.ci, [fresh.port, closed.port])

    const stranger = beyond(network, fresh)
    const first = await stranger.register('stranger')
    expect(first).toMatchObject({
      status: 201,
      body: { user: { is_host: false, tier_name: 'Free' } },
    })
    expect(await stranger.register('other', { setup: 'A'.repeat(22) })).toMatchObject({
      body: { code: 'setup_link_invalid' },
    })
    expect(await beyond(network, closed).register('stranger')).toMatchObject({
      body: { code: 'registration_closed' },
    })

    const owner = closed.browser(network.host, closed.server.url, 'owner')
    const made = await owner.register('owner', { setup: closed.server.setup })
    expect(made).toMatchObject({ status: 201, body: { user: { is_host: true } } })
    // Even with the password of the host account.
    const thief = beyond(network, closed)
    expect((await thief.signIn('owner')).status).toBe(200)
    expect((await thief.ask('/api/host/people')).status).toBe(404)
    expect(await thief.ask('/api/host/manage', { link: 'A'.repeat(22) })).toMatchObject({
      body: { code: 'manage_link_invalid' },
    })

    await owner.signIn('owner')
    expect((await owner.ask('/api/host/manage', { link: await closed.manageLink() })).status).toBe(
      200,
    )
    expect((await owner.ask('/api/host/people')).status).toBe(200)
    expect((await thief.ask('/api/host/people')).status).toBe(404)
  },
)

test.skipIf(noRoot)(
  named(
    'a trusted proxy on loopback is not the person at the computer, with any forwarded headers',
  ),
  { timeout },
  async () => {
    const network = aNetwork()
    const host = await aHost(
      network,
      false,
      '--trust-proxy',
      '127.0.0.1',
      '--public-url',
      'https://builds.example',
    )
    await openRelay(network.host, network.ci, [host.port])
    const owner = host.browser(network.host, host.server.url, 'owner')
    await owner.register('owner', { setup: host.server.setup })

    for (const spoofed of [['X-Forwarded-For: 127.0.0.1'], ['X-Forwarded-Host: localhost'], []]) {
      const stranger = beyond(network, host, ...spoofed)
      expect(await stranger.register('stranger')).toMatchObject({
        body: { code: 'registration_closed' },
      })
      await stranger.signIn('owner')
      expect((await stranger.ask('/api/host/people')).status).toBe(404)
    }
    // A link leads to the address of the proxy: loopback itself would prove nothing, and is
    // refused.
    await owner.signIn('owner')
    const link = await host.manageLink()
    expect(link).toMatch(/^[\w-]{22}$/)
    expect(await owner.ask('/api/host/manage', { link })).toMatchObject({
      body: { code: 'forbidden' },
    })
  },
)

test.skipIf(noRoot)(
  named('a manage link works on the computer itself, and not over plain HTTP from the network'),
  { timeout },
  async () => {
    const network = aNetwork()
    const host = await aHost(network, false, '--host', '0.0.0.0')
    const owner = host.browser(network.host, host.server.url, 'owner')
    await owner.register('owner', { setup: host.server.setup })
    const away = host.browser(
      network.visitor,
      `http://${network.host.address}:${host.port}`,
      'away',
      'X-Forwarded-Proto: https',
    )
    const link = await host.manageLink()

    await away.signIn('owner')
    expect(await away.ask('/api/host/manage', { link })).toMatchObject({
      body: { code: 'forbidden' },
    })
    await owner.signIn('owner')
    expect((await owner.ask('/api/host/manage', { link })).status).toBe(200)
  },
)
