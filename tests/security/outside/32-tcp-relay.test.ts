import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openNetwork, type Network } from '../../desktop/support/network'
import { named, noRoot } from '../../faults/support/rounds'
import { Curl } from '../support/curl'
import type { OutsideHost } from '../support/outside-host'
import { openRelay } from '../support/ssh-relay'

const PROGRAM = join(import.meta.dirname, '../support/outside-host.ts')

/** A host that `ssh -R` publishes with all its doors, a stranger beyond the relay, and the owner at the host. */
async function aRelayedHost(network: Network) {
  const base = await mkdtemp(join(tmpdir(), 'slipway-outside-'))
  onTestFinished(() => rm(base, { recursive: true, force: true }))
  await writeFile(join(base, 'settings.json'), JSON.stringify({ registrationOpen: false }))
  const words = [...network.host.enter, process.execPath, '--import', 'tsx', PROGRAM, base, network.ci.address]
  const child = spawn('env', words, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await once(child, 'close')
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const host = JSON.parse(line.toString()) as OutsideHost
  await openRelay(network.host, network.ci, [host.main, host.door, host.tunnel])
  let jars = 0
  const browser = (machine: Network['host'], url: string, headers: readonly string[]) =>
    new Curl(machine, url, join(base, `jar-${jars++}`), headers)
  return {
    ...host,
    owner: browser(network.host, `http://127.0.0.1:${host.main}`, []),
    stranger: (port: number, protocol: 'http' | 'https', ...headers: string[]) =>
      browser(network.visitor, `${protocol}://${network.ci.address}:${port}`, headers),
  }
}

test.skipIf(noRoot)(
  named('the relay attacks fail at the main door, at the outside door and through a tunnel'),
  { timeout: 90_000 },
  async () => {
    const network = openNetwork()
    onTestFinished(() => network.close())
    const { main, door, tunnel, setup, owner, stranger } = await aRelayedHost(network)
    const publicHost = `Host: ${network.ci.address}:${door}`
    const spoofed = ['X-Forwarded-For: 127.0.0.1', 'X-Forwarded-Host: localhost', 'X-Forwarded-Proto: https']

    // Before the host account exists: nobody beyond the relay becomes it, even with the right setup link.
    for (const port of [door, tunnel]) {
      for (const name of [`localhost:${main}`, `127.0.0.1:${main}`, `localhost:${door}`, 'localhost']) {
        const refused = await stranger(port, 'https', `Host: ${name}`, ...spoofed).register('stranger', { setup })
        expect([name, refused.status, refused.body.code]).toEqual([name, 421, 'misdirected'])
      }
      const plain = await stranger(port, 'http', publicHost, ...spoofed).register('stranger', { setup })
      expect(plain).toMatchObject({ status: 403, body: { code: 'https_required' } })
      const secure = await stranger(port, 'https', publicHost, ...spoofed).register('stranger', { setup })
      expect(secure).toMatchObject({ status: 403, body: { code: 'setup_link_invalid' } })
    }
    for (const port of [main, door, tunnel]) {
      const name = port === main ? `Host: localhost:${main}` : publicHost
      const closed = await stranger(port, port === main ? 'http' : 'https', name, ...spoofed).register('stranger')
      expect([port === main, closed.body.code]).toEqual([port === main, 'registration_closed'])
    }

    // Nor with the password of the host account, a manage link's path, or guesses under changing addresses.
    expect(await owner.register('owner', { setup })).toMatchObject({ status: 201, body: { user: { is_host: true } } })
    for (const port of [door, tunnel]) {
      const thief = stranger(port, 'https', publicHost, ...spoofed)
      expect((await thief.signIn('owner')).status).toBe(200)
      for (const path of ['people', 'settings', 'manage-sessions'])
        expect((await thief.ask(`/api/host/${path}`)).status).toBe(404)
      expect((await thief.ask('/api/host/manage', { link: 'A'.repeat(22) })).status).toBe(404)
    }
    const statuses: number[] = []
    for (let guess = 1; guess <= 12; guess++) {
      const guesser = stranger(tunnel, 'https', publicHost, `X-Forwarded-For: 192.0.2.${guess}`)
      statuses.push((await guesser.signIn('owner', 'wrong')).status)
    }
    expect([statuses[0], statuses.at(-1)]).toEqual([401, 429])
    // The visitors of the tunnel have used up their own address, not that of the owner at home.
    expect((await owner.signIn('owner')).status).toBe(200)
  },
)
