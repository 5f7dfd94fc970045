import { mkdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect } from 'vitest'
import { noEngine, sharedEngine, withEngine, type Engine } from '../../support/bucket/engine'
import {
  aBucket,
  addressed,
  addressOf,
  anOwner,
  contentsOf,
  MIB,
} from '../../support/bucket/copied-files'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

let engine: Engine
beforeAll(async () => void (engine = await sharedEngine()))

/** A host with one whole copy, and one of which a part is there. */
async function aHostThatCopies(server: TestServer) {
  const { file } = await anOwner(server)
  const { publicCopies } = server.inside
  const choice = await aBucket(engine)
  await publicCopies.setUp(choice, engine.keys)
  const whole = await file(2 * MIB)
  await expect.poll(() => publicCopies.view().state).toBe('complete')
  await publicCopies.setUp({ ...choice, bytes_per_second: 12_000_000 }, undefined)
  const half = await file(40 * MIB)
  await expect
    .poll(() => publicCopies.view().running[0]?.sent ?? 0)
    .toBeGreaterThanOrEqual(16 * MIB)
  return { publicCopies, choice, whole, half, file }
}

const NOTHING = { objects: [], uploads: 0 }
const OFF = {
  state: 'off',
  problem: null,
  keys_set: false,
  running: [],
  copies: { wanted: 0, there: 0, revoking: 0 },
}

describe.skipIf(noEngine)(withEngine('switching downloads from a bucket off'), () => {
  test('keeps whole copies if the host account wants, but neither halves nor private ones', async ({
    server,
  }) => {
    const { publicCopies, choice, whole, half, file } = await aHostThatCopies(server)
    const hidden = await file(2 * MIB)
    await addressed(server, hidden)
    engine.pause()
    await server.inside.files.setVisibility(hidden.id, false)
    engine.resume()
    await publicCopies.switchOff('keep')

    expect(publicCopies.view()).toMatchObject(OFF)
    expect(await contentsOf(engine, choice)).toEqual({ objects: [whole.blobId], uploads: 0 })
    expect(await addressOf(server, whole)).toBeUndefined()

    await publicCopies.setUp(choice, engine.keys)
    await expect
      .poll(() => publicCopies.view())
      .toMatchObject({ state: 'complete', copies: { there: 2 } })
    expect((await contentsOf(engine, choice)).objects).toEqual([whole.blobId, half.blobId].sort())
  })

  test('cannot be saved on a full disk; copies follow their files', async ({ server }) => {
    const { publicCopies, choice, whole } = await aHostThatCopies(server)
    // No draft of the settings can be written there.
    const draft = join(server.dataDir, 'settings.json.tmp')
    await mkdir(draft)
    await expect(publicCopies.switchOff('keep')).rejects.toThrow()
    await rmdir(draft)
    await expect
      .poll(() => publicCopies.view())
      .toMatchObject({ state: 'complete', copies: { there: 2 } })

    await server.inside.files.setVisibility(whole.id, false)
    await expect
      .poll(async () => (await contentsOf(engine, choice)).objects)
      .not.toContain(whole.blobId)
  })

  test('deletes all copies when the bucket answers, then forgets the keys, and can be stopped', async ({
    server,
  }) => {
    const { publicCopies, choice, whole } = await aHostThatCopies(server)
    await engine.kill()
    await publicCopies.switchOff('delete')
    expect(await addressOf(server, whole)).toBeUndefined()
    await expect
      .poll(() => publicCopies.view().troubled.map(({ trouble }) => trouble))
      .toContain('late')
    expect(publicCopies.view()).toMatchObject({ state: 'switching_off', keys_set: true })
    await engine.revive()
    await expect.poll(() => publicCopies.view()).toMatchObject(OFF)
    expect(await contentsOf(engine, choice)).toEqual(NOTHING)
    expect(server.inside.secrets.mirrorKeys).toBeUndefined()

    await publicCopies.setUp(choice, engine.keys)
    await addressed(server, whole)
    await engine.kill()
    await publicCopies.switchOff('delete')
    await publicCopies.switchOff('keep')
    expect(publicCopies.view()).toMatchObject(OFF)
    await engine.revive()
  })

  test('another bucket waits until the copies in the first are dealt with', async ({ server }) => {
    const { publicCopies, choice, whole } = await aHostThatCopies(server)
    const other = await aBucket(engine)
    const refused = publicCopies.setUp(other, engine.keys)
    await expect(refused).rejects.toMatchObject({ code: 'invalid_input', field: 'bucket' })
    expect(await addressed(server, whole)).toContain(choice.bucket)
    await publicCopies.switchOff('delete')
    await expect.poll(() => publicCopies.view()).toMatchObject(OFF)
    await publicCopies.setUp(other, engine.keys)
    await expect
      .poll(() => publicCopies.view())
      .toMatchObject({ state: 'complete', copies: { there: 2 } })

    expect(await addressed(server, whole)).toContain(other.bucket)
    expect(await contentsOf(engine, choice)).toEqual(NOTHING)
  })
})
