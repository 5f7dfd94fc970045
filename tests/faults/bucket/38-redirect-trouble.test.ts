import { beforeAll, describe, expect } from 'vitest'
import { noEngine, startEngine, withEngine, type Engine } from '../../support/bucket/engine'
import { bytes, redirectingTest } from '../../support/bucket/redirecting'
import { MINUTE } from '../../support/test-clock'

let engine: Engine
beforeAll(async () => {
  if (noEngine !== undefined) return
  engine = await startEngine()
  return engine.close
})
const test = redirectingTest(() => engine)

const read = async (response: Response) => Buffer.from(await response.arrayBuffer())

describe.skipIf(noEngine)(withEngine('when something changes during a download'), () => {
  test('a file made private between two segments: neither the host nor the bucket sends the second one', async ({
    server,
    mirrored: { ask, path, fileId },
  }) => {
    const first = await ask(path, { range: 'bytes=0-9999999' })
    const address = first.headers.get('location') ?? ''
    expect((await read(await fetch(address, { headers: { range: 'bytes=0-9999999' } }))).length).toBe(10_000_000)
    const alice = server.context.accounts.users.byName('alice')!
    await server.as(alice).files.setVisibility({ id: fileId, is_public: false })

    expect((await ask(path, { range: 'bytes=10000000-' })).status).toBe(404)
    const again = async () => {
      const { status, body } = await fetch(address, { headers: { range: 'bytes=10000000-' } })
      await body?.cancel()
      return status
    }
    await expect.poll(again, { timeout: 1000 }).toBe(404)
  })

  test('a bucket that dies right after the redirect: the visitor gets all of it from the host, counted once', async ({
    server,
    mirrored: { ask, path, downloads },
  }) => {
    const redirect = await ask(path)
    expect(redirect.status).toBe(302)
    await engine.kill()

    await expect(fetch(redirect.headers.get('location') ?? '')).rejects.toThrow()
    const whole = await ask(`${path}?from=host`)
    expect([whole.status, (await read(whole)).equals(bytes)]).toEqual([200, true])
    expect(downloads()).toBe(1)
    const usual = async () => {
      // The probe of the bucket waits for this clock.
      server.clock.advance(MINUTE)
      const { status, body } = await ask(path)
      await body?.cancel()
      return status
    }
    await expect.poll(usual, { interval: 200 }).toBe(200)
    await engine.revive()
    await expect.poll(usual, { interval: 200 }).toBe(302)
  })

  test('switched off: everything comes from the host again', async ({ server, mirrored: { ask, path, url } }) => {
    await server.context.mirror.mirror.switchOff('keep')
    const whole = await ask(path)

    expect([whole.status, (await read(whole)).equals(bytes)]).toEqual([200, true])
    expect(await (await fetch(`${url}/p/rocket`)).text()).not.toContain('Trouble downloading')
  })
})
