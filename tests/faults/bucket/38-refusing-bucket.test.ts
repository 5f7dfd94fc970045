import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, onTestFinished, vi } from 'vitest'
import { freePort } from '../../../scripts/dev/free-port'
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

const fromHost = 'Downloads have come from this computer since 14:02.'

describe.skipIf(noEngine)(withEngine('a bucket that refuses'), () => {
  test('name not found', async ({ host }) => {
    const nowhere = { ...(await engine.makeBucket()), endpoint: 'https://no-such-store.invalid' }
    await host.setUp(nowhere, engine.keys)
    const file = await host.publish()

    await expect.poll(() => host.words()).toBe(`The bucket does not answer. ${fromHost}`)
    expect(await host.download(file)).toBe('host')
  })

  test('nothing at the endpoint', async ({ host }) => {
    const unused = { ...(await engine.makeBucket()), endpoint: `http://127.0.0.1:${await freePort()}` }
    await host.setUp(unused, engine.keys)
    const file = await host.publish()

    await expect.poll(() => host.words()).toBe(`The bucket does not answer. ${fromHost}`)
    expect(await host.download(file)).toBe('host')
  })

  test('bucket that does not exist, and is then created', async ({ host, clock }) => {
    const choice = await engine.makeBucket()
    await host.setUp({ ...choice, bucket: `${choice.bucket}-other` }, engine.keys)
    const file = await host.publish()

    await expect.poll(() => host.words()).toBe(`The bucket does not exist. ${fromHost}`)
    expect(await host.download(file)).toBe('host')
    await host.setUp(choice, engine.keys)
    clock.advance(MINUTE)
    await host.allCopied()
    await expect.poll(() => host.view()).toMatchObject({ state: 'complete', problem: null })
  })

  test.for([
    ['unknown key', { accessKeyId: 'NOSUCHKEY' }],
    ['wrong secret', { secretAccessKey: 'wrong' }],
  ] as const)('%s: asked at most every 5 minutes', async ([, wrong], { host, clock }) => {
    const line = await weakLine(Number(new URL(engine.endpoint).port))
    const choice = { ...(await engine.makeBucket()), endpoint: `http://127.0.0.1:${line.port}` }
    await host.setUp(choice, { ...engine.keys, ...wrong })
    const file = await host.publish()
    await expect.poll(() => host.words()).toBe(`The bucket refuses the key. ${fromHost}`)
    expect(await host.download(file)).toBe('host')

    const before = line.bytesToServer
    clock.advance(4 * MINUTE)
    await pause(3 * SECOND)
    expect(line.bytesToServer).toBe(before)
    clock.advance(MINUTE)
    await expect.poll(() => line.bytesToServer).toBeGreaterThan(before)

    await host.setUp(choice, engine.keys)
    await host.allCopied()
    expect(await host.download(file)).toBe('bucket')
  })

  test('key that may only read', async ({ host }) => {
    const choice = await engine.makeBucket()
    await host.setUp(choice, await engine.readOnlyKeys())
    const file = await host.publish()

    const line = 'The bucket answers, but the key lacks a permission.'
    await expect.poll(() => host.words()).toBe(`${line} ${fromHost}`)
    expect(await host.download(file)).toBe('host')
  })

  test.for([
    ['ahead of', 20 * MINUTE],
    ['behind', -20 * MINUTE],
  ] as const)('clock 20 minutes %s the store', async ([direction, off], { host, clock }) => {
    const file = await mirrored(host, engine, await engine.makeBucket())
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + off, shouldAdvanceTime: true })
    onTestFinished(() => void vi.useRealTimers())
    clock.advance(15 * SECOND)
    const line = `This computer's clock is 20 minutes ${direction} the bucket's.`
    await expect.poll(() => host.words()).toBe(`${line} ${fromHost}`)
    expect(await host.download(file)).toBe('host')

    vi.useRealTimers()
    clock.setClock(-off)
    await expect.poll(() => host.view().state).toBe('complete')
    expect(await host.download(file)).toBe('bucket')
  })
})
