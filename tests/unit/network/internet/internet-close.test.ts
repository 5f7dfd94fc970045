import { beforeEach, describe, expect, test } from 'vitest'
import { get } from 'node:http'
import { ROUTER_REQUEST, settled, World } from './an-internet'

let world: World
beforeEach(async () => {
  world = await World.open()
})

async function opened() {
  const host = await world.host()
  await host.internet.open(ROUTER_REQUEST)
  await settled(host.internet)
  return host
}

/** Makes the router wait with its answers until the test opens the gate. */
function slowRouter(): () => void {
  let open = (): void => undefined
  const passed = new Promise<void>((resolve) => (open = resolve))
  world.router.before = () => passed
  return () => open()
}

const answersAt = (port: number) =>
  new Promise<boolean>((resolve) => {
    const request = get({ host: '127.0.0.1', port, agent: false }, (reply) =>
      reply.resume().on('end', () => resolve(true)),
    )
    request.on('error', () => resolve(false))
  })

describe('stopping', () => {
  test('undoes everything, also the closed registration', async () => {
    const { internet, door } = await opened()
    const port = door.port!
    expect(await answersAt(port)).toBe(true)
    await internet.close()
    expect(internet.view()).toMatchObject({
      way: 'off',
      state: 'off',
      url: null,
      proof: null,
      lease_until: null,
      certificate: null,
      registration_open: true,
    })
    expect([world.router.ports, door.port, await answersAt(port), internet.origin()]).toEqual([
      [],
      undefined,
      false,
      null,
    ])
  })

  test('while the router is still asked, leaves nothing open', async () => {
    const { internet, door } = await world.host()
    const answer = slowRouter()
    await internet.open(ROUTER_REQUEST)
    await expect.poll(() => door.port).toBeDefined()
    const closed = internet.close()
    answer()
    await closed
    expect([world.router.ports, door.port, internet.view().state]).toEqual([[], undefined, 'off'])
  })

  test('immediately after opening leaves nothing open', async () => {
    const { internet, door } = await world.host()
    await Promise.all([internet.open(ROUTER_REQUEST), internet.close()])
    await internet.look()
    expect([world.router.ports, door.port, internet.view().way]).toEqual([[], undefined, 'off'])
  })

  test('cuts a download that does not end', async () => {
    const { internet, door } = await opened()
    const request = get({ host: '127.0.0.1', port: door.port })
    const ended = new Promise((resolve) => request.on('error', resolve).on('response', (it) => it.on('close', resolve)))
    await internet.close()
    await ended
    expect(door.port).toBeUndefined()
  })
})

describe('quitting', () => {
  test('removes the mapping and opens again at the next start, with the same port and without an order', async () => {
    const first = await opened()
    const { port } = first.door
    await first.internet.stop()
    expect([world.router.ports, first.door.port, world.settings.way]).toEqual([[], undefined, 'router'])
    const { internet, door } = await world.host()
    expect(await settled(internet)).toMatchObject({ state: 'open', proof: { by: 'authority' } })
    expect([door.port, world.router.ports]).toEqual([port, [443]])
    expect(world.orders).toBe(1)
  })

  test('while it opens, leaves nothing open', async () => {
    const { internet, door } = await world.host()
    const answer = slowRouter()
    await internet.open(ROUTER_REQUEST)
    await expect.poll(() => door.port).toBeDefined()
    const stopped = internet.stop()
    answer()
    await stopped
    expect([world.router.ports, door.port]).toEqual([[], undefined])
  })

  test('does not wait for a router that does not answer', async () => {
    const { internet, door } = await opened()
    slowRouter()
    await internet.stop()
    expect(door.port).toBeUndefined()
  })
})

describe('after a crash', () => {
  test('renews the mapping with its nonce', async () => {
    const { door } = await opened()
    await door.close(0)
    const { internet } = await world.host()
    await settled(internet)
    expect(world.router.asked.at(-1)).toMatchObject({ external: 443, nonce: 'nonce 1' })
    expect(world.router.ports).toEqual([443])
  })

  test('removes the mapping if the host account has turned it off meanwhile', async () => {
    await opened()
    world.settings = { ...world.settings, way: 'off' }
    await world.host()
    await expect.poll(() => world.router.ports).toEqual([])
  })

  test('stays closed while something prevents opening, and says what', async () => {
    await opened()
    world.blockers = ['no_rate_limits']
    const { internet, door } = await world.host()
    await expect.poll(() => world.router.ports).toEqual([])
    expect(internet.view()).toMatchObject({ way: 'router', state: 'off', blockers: ['no_rate_limits'] })
    expect(door.port).toBeUndefined()
  })
})
