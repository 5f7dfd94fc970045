import { get, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { describe, expect, onTestFinished } from 'vitest'
import { freePort } from '../../../scripts/dev/free-port'
import { cannotUnpack } from '../../../scripts/test/tools/unpacked'
import { realDisk } from '../../../server/data/durable-file'
import { authorizedKeyLine, sshdSettings, tunnelKey } from '../../../server/network/tunnel/tunnel-key'
import { aUser } from '../../support/factories'
import { startSshd } from '../../support/internet/sshd'
import { test as base, type TestServer } from '../../support/test-server'

const test = base.extend({ config: { passwordCost: 4, rateLimits: true } })
/** Every Linux has the whole of 127.0.0.0/8; the loopback address of sshd is 127.0.0.1 only. */
const SERVER = '127.0.0.2'
const VISITOR = '127.0.0.3'

/** A host account at the window, and a server with SSH that knows the key of this host. */
async function world(server: TestServer, settings: string[] = [...sshdSettings]) {
  const host = await server.atWindow(await aUser(server, 'host', { isHost: true }))
  const [port, remotePort] = [await freePort(), await freePort()]
  const keys = authorizedKeyLine(await tunnelKey(server.dataDir, realDisk), remotePort)
  const sshd = await startSshd({ address: SERVER, port, keys, settings })
  onTestFinished(() => sshd.stop())
  const tunnel = { server: SERVER, port, user: 'root', remote_port: remotePort }
  const { internet } = host.client
  const open = (fingerprint: string | null) =>
    internet.open({ way: 'tunnel', terms_accepted: true, tunnel: { ...tunnel, fingerprint } })
  const view = async () => (await internet.show({})).internet
  return { open, view, keys, url: `http://${SERVER}:${remotePort}`, fingerprint: sshd.fingerprint, ...host.client }
}

/** The status that a visitor gets, or why there is none. */
async function visit(url: string): Promise<unknown> {
  const request = get(`${url}/api/auth/check`, { agent: false, localAddress: VISITOR })
  try {
    const [reply] = (await once(request, 'response')) as [IncomingMessage]
    return reply.resume().statusCode
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  }
}

const name = `a host behind a tunnel${cannotUnpack === undefined ? '' : ` (not run: ${cannotUnpack})`}`

describe.skipIf(cannotUnpack)(name, () => {
  test('opens after the key of the server is confirmed, proves itself, and closes', async ({ server }) => {
    const { open, view, url, fingerprint, keys, internet } = await world(server)
    await open(null)
    await expect
      .poll(view)
      .toMatchObject({ state: 'tunnel_failed', tunnel: { problem: 'fingerprint_unknown', fingerprint } })
    expect((await view()).tunnel).toMatchObject({ authorized_key: keys })

    await open(fingerprint)
    await expect.poll(view).toMatchObject({ state: 'tunnel_open', url, proof: { by: 'request' } })
    expect(await visit(url)).toBe(200)
    expect(await view()).toMatchObject({ registration_open: false })

    await internet.close({})
    expect(await view()).toMatchObject({ way: 'off', state: 'off', url: null })
    await expect.poll(() => visit(url)).toBe('ECONNREFUSED')
  })

  test('says that only the server itself reaches it', async ({ server }) => {
    const { open, view, url, fingerprint } = await world(server, ['GatewayPorts no'])
    await open(fingerprint)

    await expect.poll(view).toMatchObject({ state: 'tunnel_failed', tunnel: { problem: 'loopback_only' } })
    expect(await visit(url)).toBe('ECONNREFUSED')
    await expect.poll(() => visit(url.replace(SERVER, '127.0.0.1'))).toBe('ECONNREFUSED')
  })
})
