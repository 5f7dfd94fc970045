import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, onTestFinished } from 'vitest'
import { MB } from '../../../server/contract'
import { noEngine, startEngine, withEngine, type Engine } from '../../support/bucket/engine'
import { mirrored, test } from '../../support/bucket/mirrored-host'
import { weakLine } from '../../support/network/weak-line'
import { MINUTE, SECOND } from '../../support/test-clock'

let engine: Engine
beforeAll(async () => {
  if (noEngine !== undefined) return
  engine = await startEngine()
  return engine.close
})

let isDown = false

/** Kills the engine, at most until the end of the test. */
async function kill(): Promise<void> {
  isDown = true
  onTestFinished(revive)
  await engine.kill()
}

async function revive(): Promise<void> {
  if (isDown) await engine.revive()
  isDown = false
}

const fromHost = 'Downloads have come from this computer since 14:02.'

describe.skipIf(noEngine)(withEngine('a bucket that does not answer well'), () => {
  test('engine down 2 s before a visitor comes: the host sends the file, and finds its return', async ({
    host,
    clock,
  }) => {
    const file = await mirrored(host, engine, await engine.makeBucket())
    await kill()
    clock.advance(2 * SECOND)
    expect(await host.download(file)).toBe('host')
    expect(host.words()).toBe(`The bucket does not answer. ${fromHost}`)
    expect(host.view().state).toBe('failing')

    await revive()
    clock.advance(5 * SECOND)
    await expect.poll(() => host.view().state).toBe('complete')
    expect(await host.download(file)).toBe('bucket')
  })

  test('engine down right after the redirect: the host sends the file itself', async ({ host, clock }) => {
    const file = await mirrored(host, engine, await engine.makeBucket())
    const address = await host.redirectOf(file)
    await kill()
    await expect(fetch(address!)).rejects.toThrow()

    await host.downloadFromHost(file)
    clock.advance(15 * SECOND)
    await expect.poll(() => host.redirectOf(file)).toBeUndefined()
    await revive()
    expect((await fetch(address!)).status).toBe(200)
  })

  test('engine killed while copying, and back: the copy is completed', async ({ host, clock }) => {
    const choice = await engine.makeBucket()
    const line = await weakLine(Number(new URL(engine.endpoint).port))
    line.slowTo(10)
    await host.setUp({ ...choice, endpoint: `http://127.0.0.1:${line.port}` }, engine.keys)
    const file = await host.publish(40 * MB)
    await expect.poll(() => host.view().running[0]?.sent ?? 0).toBeGreaterThan(0)
    await kill()
    await expect.poll(() => host.words()).toBe(`The bucket does not answer. ${fromHost}`)
    expect(await host.download(file)).toBe('host')

    await revive()
    line.slowTo(Infinity)
    clock.advance(5 * MINUTE)
    await host.allCopied()
    expect(await host.download(file)).toBe('bucket')
    await expect.poll(() => host.view().problem).toBeNull()
  })

  test('silent engine: downloads come from the host', async ({ host, clock }) => {
    const file = await mirrored(host, engine, await engine.makeBucket())
    engine.pause()
    onTestFinished(() => engine.resume())
    clock.advance(2 * SECOND)
    expect(await host.download(file)).toBe('host')
    await expect.poll(() => host.words()).toBe(`The bucket does not answer. ${fromHost}`)
    expect(await host.download(file)).toBe('host')

    engine.resume()
    clock.advance(MINUTE)
    await expect.poll(() => host.view().state).toBe('complete')
  })

  test('5 s for each answer: slow after three probes, and well after one quick answer', async ({ host, clock }) => {
    const choice = await engine.makeBucket()
    const line = await weakLine(Number(new URL(engine.endpoint).port))
    const file = await mirrored(host, engine, { ...choice, endpoint: `http://127.0.0.1:${line.port}` })
    line.answerAfter(5 * SECOND)
    const probes = async () => (await engine.requests()).filter((request) => request.includes('"HEAD')).length
    for (let late = 1; late <= 3; late++) {
      const before = await probes()
      clock.advance(15 * SECOND)
      await expect.poll(probes, { interval: 500 }).toBeGreaterThan(before)
      await pause(6 * SECOND)
    }
    await expect.poll(() => host.words()).toBe(`The bucket answers too slowly. ${fromHost}`)
    expect(await host.download(file)).toBe('host')

    line.answerAfter(0)
    clock.advance(10 * SECOND)
    await expect.poll(() => host.view().state).toBe('complete')
  })

  test('part that is changed on its way is sent again', async ({ host }) => {
    const choice = await engine.makeBucket()
    const line = await weakLine(Number(new URL(engine.endpoint).port))
    await host.setUp({ ...choice, endpoint: `http://127.0.0.1:${line.port}` }, engine.keys)
    line.damage(1)
    const file = await host.publish(4 * MB)
    await host.allCopied()

    expect(line.damagesLeft).toBe(0)
    await expect.poll(() => host.view().problem).toBeNull()
    expect(await host.download(file)).toBe('bucket')
  })

  test('has one line when the bucket fails and one when it works again, and never a key', async ({
    host,
    clock,
    log,
  }) => {
    const lines: string[] = []
    const record = (level: string) => (fields: object, message: string) =>
      void lines.push(`${level}: ${message} ${JSON.stringify(fields)}`)
    Object.assign(log, { info: record('info'), warn: record('warn') })
    await mirrored(host, engine, await engine.makeBucket())
    await kill()
    clock.advance(15 * SECOND)
    await expect.poll(() => host.view().state).toBe('failing')
    for (let n = 0; n < 5; n++) {
      clock.advance(5 * MINUTE)
      await pause(1500)
    }
    await revive()
    clock.advance(5 * MINUTE)
    await expect.poll(() => host.view().state).toBe('complete')

    const about = lines.filter((line) => line.includes('The bucket'))
    expect(about).toEqual([
      expect.stringMatching(/^warn: The bucket does not answer\./) as string,
      expect.stringMatching(/^info: The bucket works again\./) as string,
    ])
    expect(lines.join('\n')).not.toContain(engine.keys.secretAccessKey)
    expect(lines.join('\n')).not.toContain(engine.keys.accessKeyId)
  })
})
