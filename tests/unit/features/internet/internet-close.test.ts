import { readFile, stat, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { MINUTE, SECOND } from '../../../support/world/test-clock'
import { diskError, RehearsalDisk } from '../../data/library/rehearsal-disk'
import { gate, ROUTER_REQUEST, settled, World } from './an-internet'

let world: World
beforeEach(async () => {
  world = await World.open()
})

const answersAt = (port: number) =>
  new Promise<boolean>((resolve) => {
    const request = get({ host: '127.0.0.1', port, agent: false }, (reply) =>
      reply.resume().on('end', () => resolve(true)),
    )
    request.on('error', () => resolve(false))
  })

describe('stopping', () => {
  test('saves the way and the registration in one write: a kill leaves all of it or nothing', async () => {
    const { internet, door } = await world.opened()
    const port = door.port!
    expect(await answersAt(port)).toBe(true)
    await internet.close()
    expect(await answersAt(port)).toBe(false)
    expect(world.saved).toMatchObject([
      { internet_way: 'router', registration_open: false, reopens_registration: true },
      { internet_way: 'off', registration_open: true, reopens_registration: false },
    ])
  })

  test.each(['close', 'stop'] as const)(
    'while the router is still asked, %s leaves nothing open',
    async (ending) => {
      const { internet, door } = await world.host()
      const slow = gate()
      world.router.before = () => slow.passed
      await internet.open(ROUTER_REQUEST)
      await expect.poll(() => door.port).toBeDefined()
      const ended = internet[ending]()
      slow.open()
      await ended
      expect(world.router.ports).toEqual([])
      expect(door.port).toBeUndefined()
    },
  )

  test('is saved before the router answers: a kill meanwhile does not open the host at its next start', async () => {
    const { internet } = await world.opened()
    const slow = gate()
    world.router.before = () => slow.passed
    const closing = internet.close()
    await expect.poll(() => world.settings.internet_way).toBe('off')
    slow.open()
    await closing
  })

  test('immediately after opening leaves nothing open', async () => {
    const { internet, door } = await world.host()
    await Promise.all([internet.open(ROUTER_REQUEST), internet.close()])
    await internet.look()
    expect(world.router.ports).toEqual([])
    expect(door.port).toBeUndefined()
    expect(internet.view().way).toBe('off')
  })

  test('asks a router that was silent again to close the port', async () => {
    const { internet } = await world.opened()
    world.router.isSilent = true
    await internet.close()
    world.router.isSilent = false
    expect(world.router.ports).toEqual([443])
    world.clock.advance(MINUTE)
    await internet.look()
    expect(world.router.ports).toEqual([])
  })

  test('a port opened after the router seemed silent is removed at the next look, not the next retry', async () => {
    const { internet } = await world.host()
    await internet.close()
    world.router.losesAnswers = true
    await internet.open(ROUTER_REQUEST)
    await settled(internet)
    expect(world.router.ports).toEqual([443])
    world.clock.advance(SECOND)
    await internet.look()
    expect(world.router.ports).toEqual([])
  })
})

describe('quitting', () => {
  test('removes the mapping and opens again at the next start, with the same port and without an order', async () => {
    const first = await world.opened()
    const { port } = first.door
    await first.internet.stop()
    expect(world.router.ports).toEqual([])
    expect(first.door.port).toBeUndefined()
    expect(world.settings.internet_way).toBe('router')

    const { internet, door } = await world.host()
    expect(await settled(internet)).toMatchObject({ state: 'open', proof: { by: 'authority' } })
    expect(door.port).toBe(port)
    expect(world.router.ports).toEqual([443])
    expect(world.orders).toBe(1)
  })

  test('does not wait for a router that never answers', async () => {
    const { internet, door } = await world.opened()
    world.router.before = () => gate().passed
    await internet.stop()
    expect(door.port).toBeUndefined()
  })
})

describe('after a crash', () => {
  test('renews the mapping with its nonce', async () => {
    const { door } = await world.opened()
    await door.close(0)
    const { internet } = await world.host()
    await settled(internet)
    expect(world.router.asked.at(-1)).toMatchObject({ external: 443, nonce: 'nonce 1' })
    expect(world.router.ports).toEqual([443])
  })

  test('removes the mapping if the host account has turned it off meanwhile', async () => {
    await world.opened()
    world.settings = { ...world.settings, internet_way: 'off' }
    await world.host()
    await expect.poll(() => world.router.ports).toEqual([])
  })

  test('stays closed while something prevents opening, and says what', async () => {
    await world.opened()
    world.blockers = ['no_rate_limits']
    const { internet, door } = await world.host()
    await expect.poll(() => world.router.ports).toEqual([])
    expect(internet.view()).toMatchObject({
      way: 'router',
      state: 'off',
      blockers: ['no_rate_limits'],
    })
    expect(door.port).toBeUndefined()
  })

  test('removes a port that the router opened although its answer was lost', async () => {
    world.router.losesAnswers = true
    await world.opened()
    expect(world.router.ports).toEqual([443])
    world.settings = { ...world.settings, internet_way: 'off' }
    await world.host()
    await expect.poll(() => world.router.ports).toEqual([])
  })
})

describe('reach.json', () => {
  const path = () => join(world.dataDir, 'reach.json')

  test('has what the router was asked for before it answers, for the owner only', async () => {
    const written: unknown[] = []
    world.router.before = async () => {
      if (world.router.asked.length > 0) written.push(JSON.parse(await readFile(path(), 'utf8')))
    }
    const { door } = await world.opened()
    const mapping = { client: '127.0.0.1', port: door.port, external: 443, nonce: 'nonce 1' }
    expect(written[0]).toMatchObject({ mapping })
    expect((await stat(path())).mode & 0o777).toBe(0o600)
  })

  test.each([
    ['is empty', ''],
    ['is cut short', '{"door": 47'],
    ['holds a foreign mapping', '{"mapping": {"protocol": "smtp", "port": 99999}}'],
  ])('a file that %s counts as none', async (_title, text) => {
    await writeFile(path(), text)
    const { view } = await world.opened()
    expect(view.state).toBe('open')
    expect(world.router.ports).toEqual([443])
  })

  test('a full disk stops neither opening nor closing, and the file is written once there is room', async () => {
    const disk = new RehearsalDisk()
    world.disk = disk
    disk.before = (operation, file) => {
      if (operation === 'write' && file.includes('reach.json')) throw diskError('ENOSPC')
    }
    const { internet, door, view } = await world.opened()
    expect(view.state).toBe('open')
    await internet.close()
    expect(world.router.ports).toEqual([])
    expect(door.port).toBeUndefined()
    disk.before = () => undefined
    await internet.look()
    expect((await stat(path())).size).toBeGreaterThan(0)
  })
})
