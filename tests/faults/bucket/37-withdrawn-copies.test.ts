import { beforeAll, describe, expect } from 'vitest'
import { noEngine, startEngine, withEngine, type Engine } from '../../support/bucket/engine'
import { aBucket, addressOf, anOwner, contentsOf, MIB, sha256Of } from '../../support/bucket/mirrored'
import { aProject } from '../../support/factories'
import { test, type TestServer } from '../../support/test-server'

let engine: Engine
beforeAll(async () => {
  if (noEngine !== undefined) return
  engine = await startEngine()
  return engine.close
})

/** How soon nothing private may be reachable, in ms. */
const PROMISED_MS = 1000

/** A host with one public file whose copy is whole, and the address that a visitor has got. */
async function aCopy(server: TestServer, size = 2 * MIB) {
  const owned = await anOwner(server)
  const choice = await aBucket(engine)
  const { mirror } = server.context.mirror
  await mirror.setUp(choice, engine.keys)
  const file = await owned.file(size)
  await expect.poll(() => mirror.view().state).toBe('complete')
  const address = await addressOf(server, file)
  if (address === undefined) throw new Error('The copy has no address')
  return { ...owned, choice, mirror, file, address, client: server.as(owned.owner) }
}

type Copied = Awaited<ReturnType<typeof aCopy>>

const TAKES: [string, (server: TestServer, it: Copied) => Promise<unknown>][] = [
  ['made private', (_, { client, file }) => client.files.setVisibility({ id: file.id, is_public: false })],
  ['moved to the trash', (_, { client, file }) => client.files.remove({ id: file.id })],
  [
    'withdrawn by its project',
    async (server, { owner, client, file }) => {
      const project = await aProject(server, owner, { is_public: true })
      await client.projects.link({ id: project.project_id, file_id: file.id, version: '1.0' })
      await client.releases.withdraw({ id: project.project_id, version: '1.0' })
    },
  ],
]

describe.skipIf(noEngine)(withEngine('withdrawing copies'), () => {
  test.for(TAKES)('a file that is %s is gone from the bucket within a second', async ([, take], { server }) => {
    const copied = await aCopy(server)
    const { address, file, choice, mirror } = copied
    expect((await fetch(address)).status).toBe(200)
    await take(server, copied)
    const taken = performance.now()
    expect(await addressOf(server, file)).toBeUndefined()
    await expect.poll(async () => (await fetch(address)).status).toBe(404)

    const passed = performance.now() - taken
    console.log(`37: gone after ${Math.round(passed)} ms`)
    expect(passed).toBeLessThan(PROMISED_MS)
    await expect
      .poll(() => mirror.view())
      .toMatchObject({ state: 'complete', copies: { wanted: 0, there: 0, revoking: 0 } })
    expect(await contentsOf(engine, choice)).toEqual({ objects: [], uploads: 0 })
  })

  test('no address is given from the moment of the change, before the disk has confirmed it', async ({ server }) => {
    const { file } = await aCopy(server)
    const changing = server.context.files.store.setVisibility(file.id, false)
    const asked = addressOf(server, file)

    expect(await asked).toBeUndefined()
    await changing
  })

  test('a file that becomes private while a part is on its way leaves nothing in the bucket', async ({ server }) => {
    const { file, owner } = await anOwner(server)
    const { mirror } = server.context.mirror
    const choice = await aBucket(engine, { bytesPerSecond: 12_000_000 })
    await mirror.setUp(choice, engine.keys)
    const it = await file(40 * MIB)
    await expect.poll(() => mirror.view().running[0]?.sent ?? 0).toBe(16 * MIB)
    await server.as(owner).files.setVisibility({ id: it.id, is_public: false })

    await expect.poll(() => mirror.view().running).toEqual([])
    await expect.poll(() => mirror.view()).toMatchObject({ state: 'complete', copies: { revoking: 0 } })
    expect(await contentsOf(engine, choice)).toEqual({ objects: [], uploads: 0 })
  })

  test('a file that is trashed and restored within a second ends with one whole copy', async ({ server }) => {
    const { file, client, choice, mirror, address } = await aCopy(server, 20 * MIB)
    for (let round = 0; round < 3; round++) {
      await client.files.remove({ id: file.id })
      await client.trash.restore({ id: file.id })
    }
    await expect.poll(() => mirror.view()).toMatchObject({ state: 'complete', copies: { there: 1, revoking: 0 } })

    expect(await contentsOf(engine, choice)).toEqual({ objects: [file.blobId], uploads: 0 })
    expect(await sha256Of(await fetch((await addressOf(server, file)) ?? address))).toBe(file.sha256)
  })

  test('a copy that the bucket cannot delete now is deleted when it answers again', async ({ server }) => {
    const { file, client, choice, mirror, address } = await aCopy(server)
    await engine.kill()
    await client.files.setVisibility({ id: file.id, is_public: false })
    await expect
      .poll(() => mirror.view().troubled)
      .toMatchObject([{ file_id: file.id, filename: file.filename, trouble: 'late' }])
    expect(await addressOf(server, file)).toBeUndefined()
    await engine.revive()

    await expect.poll(() => mirror.view().copies.revoking).toBe(0)
    expect((await fetch(address)).status).toBe(404)
    expect(await contentsOf(engine, choice)).toEqual({ objects: [], uploads: 0 })
  })
})
