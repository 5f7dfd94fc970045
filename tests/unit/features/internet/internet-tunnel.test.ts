import { beforeEach, expect, test } from 'vitest'
import type { Internet } from '../../../../server/features/internet/internet'
import { SmallSshServer } from '../../../support/internet/small-ssh-server'
import { SECOND } from '../../../support/world/test-clock'
import { ROUTER_REQUEST, settled, World } from './an-internet'
import { freePort } from '../../../../scripts/dev/free-port'

let world: World
let server: SmallSshServer
let internet: Internet
let remotePort: number

beforeEach(async () => {
  world = await World.open()
  world.ask = async (origin) => {
    const reply = await fetch(origin, { headers: { connection: 'close' } }).catch(() => undefined)
    return (await reply?.text()) === 'ahoy' ? 'ok' : 'unanswered'
  }
  server = await SmallSshServer.open()
  remotePort = await freePort()
  internet = (await world.host()).internet
})

async function open(fingerprint: string | null) {
  const tunnel = {
    server: '127.0.0.1',
    port: server.port,
    user: 'ann',
    remote_port: remotePort,
    fingerprint,
  }
  await internet.open({ ...ROUTER_REQUEST, way: 'tunnel', terms_accepted: false, tunnel })
  return settled(internet)
}

/** Opens it once to see the key of the server, as a person does. */
async function fingerprint(): Promise<string> {
  return (await open(null)).tunnel!.fingerprint!
}

test('shows the key of the server first, and opens once it is confirmed and a request has proved it', async () => {
  const asked = await open(null)
  expect(asked).toMatchObject({
    state: 'tunnel_failed',
    url: null,
    tunnel: { problem: 'fingerprint_unknown' },
  })
  const view = await open(asked.tunnel!.fingerprint)
  expect(view).toMatchObject({
    way: 'tunnel',
    state: 'tunnel_open',
    url: `http://127.0.0.1:${remotePort}`,
    proof: { by: 'request' },
    tunnel: { problem: null, authorized_key: expect.stringContaining('ssh-ed25519') as string },
  })
  expect(view.steps.find(({ step }) => step === 'proof')?.state).toBe('done')
  expect([world.searches, world.stunAsked(), world.authority.asked]).toEqual([0, 0, []])
})

test('says that the server listens on its loopback address only', async () => {
  const key = await fingerprint()
  server.isListening = false
  expect(await open(key)).toMatchObject({
    state: 'tunnel_failed',
    url: null,
    tunnel: { problem: 'loopback_only' },
  })
})

test('proves it again after an interruption, and is not open until then', async () => {
  await open(await fingerprint())
  server.cut()
  await expect.poll(() => internet.view().state).toBe('tunnel_waiting')
  expect([internet.origin(), internet.view().tunnel?.problem]).toEqual([null, 'unreachable'])
  world.clock.advance(2 * SECOND)
  await expect.poll(() => internet.view().state).toBe('tunnel_open')
})

test('closes the port of the server when the host account stops it', async () => {
  const { url } = await open(await fingerprint())
  expect(await world.ask(url!)).toBe('ok')
  await internet.close()
  expect(internet.view()).toMatchObject({ way: 'off', state: 'off', url: null })
  expect(await world.ask(url!)).toBe('unanswered')
})

test('opening through the router instead closes the tunnel', async () => {
  const { url } = await open(await fingerprint())
  await internet.open(ROUTER_REQUEST)
  expect(await settled(internet)).toMatchObject({
    way: 'router',
    state: 'open',
    url: 'https://11.77.0.10',
  })
  expect(await world.ask(url!)).toBe('unanswered')
})
