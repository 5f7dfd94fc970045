import { createHash, randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { Bucket } from '../../../server/data/bucket/copies/bucket'
import { readLibrary } from '../../../server/data/library/read-library'
import { noEngine, sharedEngine, withEngine, type Engine } from '../../support/bucket/engine'
import {
  aBucket,
  contentsOf,
  MIB,
  sha256Of,
  type StoredChoice,
} from '../../support/bucket/copied-files'
import { upload } from '../../support/world/upload'
import { Host } from '../../support/world/process'
import { clientAt, fetchAt, register, type Place } from '../../support/world/place'
import type { CopyRecord } from '../../../server/data/records/file-records'
import { tempDir } from '../../support/system/temp-dir'

let engine: Engine
beforeAll(async () => void (engine = await sharedEngine()))

/** A host in a process of its own, whose settings name a bucket. */
async function aHost(more: Partial<StoredChoice>) {
  const base = await tempDir()
  const dir = join(base, 'data')
  const first = await Host.start(dir)
  const place = await register(first)
  await first.stop()
  const choice = await aBucket(engine, more)
  await writeFile(
    join(dir, 'settings.json'),
    JSON.stringify({ port: 0, mirror: { use: 'on', ...choice } }),
  )
  const secrets = JSON.parse(await readFile(join(dir, 'secrets.json'), 'utf8')) as object
  const mirrorKeys = { endpoint: choice.endpoint, ...engine.keys }
  await writeFile(join(dir, 'secrets.json'), JSON.stringify({ ...secrets, mirrorKeys }))
  let running: Host | undefined
  onTestFinished(async () => running?.kill())
  const start = async () => {
    running = await Host.start(dir)
    return { host: running, at: { ...place, url: running.url } }
  }
  return { dir, choice, start }
}

/** Edits the settings of the bucket, as a person can while the host does not run. */
async function changeSettings(dir: string, change: object): Promise<void> {
  const path = join(dir, 'settings.json')
  const settings = JSON.parse(await readFile(path, 'utf8')) as { mirror: object }
  await writeFile(path, JSON.stringify({ ...settings, mirror: { ...settings.mirror, ...change } }))
}

/** The records of copies as they are on disk. */
async function recordsIn(dir: string): Promise<CopyRecord[]> {
  const { data } = await readLibrary(dir)
  return [...data.collections.mirrored.values()] as CopyRecord[]
}

const stateIn = async (dir: string) => (await recordsIn(dir)).map(({ state }) => state)

async function publish(at: Place, size: number) {
  const bytes = new Uint8Array(randomBytes(size))
  const { file_id: id } = await upload(fetchAt(at), new File([bytes], 'rocket.bin'), {
    is_public: 'true',
  })
  return { id, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** What the bucket sends for an address of this copy. */
async function readFromBucket(choice: StoredChoice, blobId: string): Promise<Response> {
  const bucket = await Bucket.open(choice, engine.keys)
  const address = await bucket.presignUrl(blobId, {
    filename: 'x',
    type: 'application/octet-stream',
    seconds: 300,
  })
  bucket.close()
  return fetch(address)
}

/** How many parts the engine has received. */
const partsReceived = async (blobId: string) =>
  (await engine.requests()).filter(
    (line) =>
      line.includes(blobId) && line.includes('partNumber=') && line.includes('"http_status":"200"'),
  ).length

describe.skipIf(noEngine)(withEngine('copies across restarts of the host'), () => {
  test('a host that quits or is killed while copying keeps the parts, and sends none twice', async () => {
    const { dir, choice, start } = await aHost({ bytes_per_second: 16_000_000 })
    const { host: first, at } = await start()
    const { sha256 } = await publish(at, 60 * MIB)
    const parts = async () => (await recordsIn(dir))[0]?.parts.length ?? 0
    await expect.poll(parts).toBeGreaterThanOrEqual(1)
    await first.stop()
    expect(await recordsIn(dir)).toMatchObject([{ state: 'copying', uploadId: expect.any(String) }])
    expect(await contentsOf(engine, choice)).toEqual({ objects: [], uploads: 1 })

    const { host: second } = await start()
    await expect.poll(parts).toBeGreaterThanOrEqual(2)
    await second.kill()
    const { host: third } = await start()
    await expect.poll(() => stateIn(dir)).toEqual(['there'])
    const blobId = (await recordsIn(dir))[0]?.id ?? ''
    expect(await sha256Of(await readFromBucket(choice, blobId))).toBe(sha256)
    const { objects, uploads } = await contentsOf(engine, choice)
    // A kill during the trial of a start leaves its object, which a later check deletes.
    expect(objects).toContain(blobId)
    expect(uploads).toBe(0)
    // Each end may hit a part that the bucket has just received, and the host has not written down.
    const received = await partsReceived(blobId)
    expect(received).toBeGreaterThanOrEqual(4)
    expect(received).toBeLessThanOrEqual(4 + 2)
    await third.stop()
  })

  test('a file made private just before kill -9 is withdrawn at the next start', async () => {
    const { dir, choice, start } = await aHost({})
    const { host, at } = await start()
    const { id } = await publish(at, 3 * MIB)
    await expect.poll(() => stateIn(dir)).toEqual(['there'])
    const blobId = (await recordsIn(dir))[0]?.id ?? ''
    await engine.kill()
    await clientAt(at).files.setVisibility({ id, is_public: false })
    await host.kill()
    await engine.revive()
    expect((await readFromBucket(choice, blobId)).status).toBe(200)
    const next = await start()

    await expect.poll(async () => (await readFromBucket(choice, blobId)).status).toBe(404)
    await expect.poll(() => stateIn(dir)).toEqual([])
    await next.host.stop()
  })

  test('a bucket that the settings no longer name is not relied on; deleting all copies continues after a kill', async () => {
    const { dir, choice, start } = await aHost({})
    const { host, at } = await start()
    await publish(at, 2 * MIB)
    await expect.poll(() => stateIn(dir)).toEqual(['there'])
    await host.stop()
    const before = await recordsIn(dir)
    const other = await aBucket(engine)
    await changeSettings(dir, other)
    const { host: elsewhere } = await start()
    await expect
      .poll(async () => (await contentsOf(engine, other)).objects)
      .toEqual([before[0]?.id])
    await expect.poll(() => stateIn(dir)).toEqual(['there'])
    expect((await recordsIn(dir))[0]?.place).not.toBe(before[0]?.place)
    expect((await contentsOf(engine, choice)).objects).toEqual([before[0]?.id])

    await elsewhere.kill()
    await changeSettings(dir, { use: 'removing' })
    await (await start()).host.kill()
    const { host: last } = await start()
    await expect.poll(() => stateIn(dir)).toEqual([])
    await expect.poll(() => contentsOf(engine, other)).toEqual({ objects: [], uploads: 0 })
    await expect.poll(() => readFile(join(dir, 'secrets.json'), 'utf8')).not.toContain('mirrorKeys')
    expect(await readFile(join(dir, 'settings.json'), 'utf8')).toContain('"use": "off"')
    await last.stop()
  })

  test('a host that was killed between switching off and forgetting the keys forgets them at its next start', async () => {
    const { dir, start } = await aHost({})
    await changeSettings(dir, { use: 'off' })
    await start()
    await expect.poll(() => readFile(join(dir, 'secrets.json'), 'utf8')).not.toContain('mirrorKeys')
  })
})
