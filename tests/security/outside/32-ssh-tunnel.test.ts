import { describe, expect } from 'vitest'
import { cannotUnpack } from '../../../scripts/test/tools/unpacked'
import { aUser } from '../../support/world/factories'
import { tunnelWorld, VISITOR } from '../../support/internet/tunnel-world'
import { askingAt, AWAY, openOutside } from '../../support/network/outside'
import { PASSWORD } from '../../support/world/password'
import { test as base } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

const test = base.extend({ config: { rateLimits: true } })

/** A host that visitors from another address reach through a real sshd. */
async function reached(server: TestServer) {
  const { ca } = await openOutside(server)
  const { outsideDoor } = server.inside
  const tunnel = await tunnelWorld({
    enter: (stream, address) => outsideDoor.take(stream, address),
  })
  await tunnel.open()
  await tunnel.until('open')
  const { http, https } = askingAt(tunnel.choice.remotePort, ca, VISITOR)
  return { http, https, visitors: tunnel.visitors }
}

const signIn = (more: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', origin: AWAY, ...more },
  body: JSON.stringify({ username: 'alice', password: PASSWORD }),
})

const forged = {
  'x-forwarded-for': '192.0.2.1',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'localhost',
  'x-real-ip': '192.0.2.1',
  forwarded: 'for=192.0.2.1;proto=https;host=localhost',
}

describe.skipIf(cannotUnpack)('a visitor who comes by ssh -R', () => {
  test('has own limits, so that others can still sign in', async ({ server, alice }) => {
    const { https } = await reached(server)
    const guess = {
      ...signIn(),
      body: JSON.stringify({ username: 'alice', password: 'a wrong one' }),
    }
    let status = 0
    for (let tries = 0; tries < 50 && status !== 429; tries++) {
      status = (await https(`${AWAY}/api/auth/login`, guess)).status
    }

    expect(status).toBe(429)
    await expect(server.signedIn(alice)).resolves.toBeDefined()
  })

  test('never passes for a person here, and is logged with its own address', async ({ server }) => {
    await aUser(server, 'alice')
    const { http, https, visitors } = await reached(server)
    expect((await https(`${AWAY}/api/auth/login`, signIn(forged))).status).toBe(200)
    const { events } = await server.inside.audit.page({ limit: 1 })
    expect(events).toMatchObject([{ kind: 'sign_in', address: VISITOR }])
    expect(visitors).toEqual([VISITOR])
    const hosts = ['localhost', '127.0.0.1', `localhost:${server.port}`, '127.0.0.2', '[::1]']
    for (const host of hosts) {
      expect
        .soft((await https(`${AWAY}/api/auth/check`, { headers: { ...forged, host } })).status)
        .toBe(421)
    }
    expect((await https(`${AWAY}/api/host/settings`, { headers: forged })).status).toBe(404)
    expect((await http(`http://203.0.113.7/api/auth/login`, signIn(forged))).status).toBe(403)
  })
})
