import { beforeAll, describe, expect, onTestFinished } from 'vitest'
import { MB } from '../../../server/contract'
import { noEngine, sharedEngine, withEngine, type Engine } from '../../support/bucket/engine'
import { copyFile, test } from '../../support/bucket/copying-host'
import { weakLine } from '../../support/network/weak-line'
import { MINUTE, SECOND } from '../../support/world/test-clock'

let engine: Engine
beforeAll(async () => void (engine = await sharedEngine()))

const fromHost = 'Downloads have come from this computer since 14:02.'

describe.skipIf(noEngine)(withEngine('a bucket that does not answer well'), () => {
  test('the host sends the file if the bucket dies before a visitor or after redirects', async ({
    host,
    clock,
  }) => {
    onTestFinished(() => engine.revive())
    const file = await copyFile(host, engine, await engine.makeBucket())
    const address = (await host.redirectOf(file)) ?? ''
    await engine.kill()
    await expect(fetch(address)).rejects.toThrow()
    await host.downloadFromHost(file)
    expect(host.server.inside.counts.downloadsOfFile(file)).toBe(1)

    clock.advance(2 * SECOND)
    expect(await host.download(file)).toBe('host')
    expect(host.words()).toBe(`The bucket does not answer. ${fromHost}`)
    await engine.revive()
    clock.advance(5 * SECOND)
    await expect.poll(() => host.view().state).toBe('complete')
    await host.redirected(file)

    engine.pause()
    onTestFinished(() => engine.resume())
    clock.advance(2 * SECOND)
    expect(await host.download(file)).toBe('host')
    await expect.poll(() => host.words()).toBe(`The bucket does not answer. ${fromHost}`)
    engine.resume()
    clock.advance(MINUTE)
    await expect.poll(() => host.view().state).toBe('complete')
  })

  test('a part that is changed on its way is sent again', async ({ host }) => {
    const choice = await engine.makeBucket()
    const line = await weakLine(Number(new URL(engine.endpoint).port))
    await host.setUp({ ...choice, endpoint: `http://127.0.0.1:${line.port}` }, engine.keys)
    line.damage(1)
    const file = await host.publish(4 * MB)
    await host.allCopied()

    expect(line.damagesLeft).toBe(0)
    await expect.poll(() => host.view().problem).toBeNull()
    await host.redirected(file)
  })
})
