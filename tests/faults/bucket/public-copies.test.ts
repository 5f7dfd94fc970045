import { open } from 'node:fs/promises'
import { beforeAll, describe, expect } from 'vitest'
import { noEngine, sharedEngine, withEngine, type Engine } from '../../support/bucket/engine'
import {
  aBucket,
  addressed,
  addressOf,
  anOwner,
  contentsOf,
  MIB,
  sha256Of,
} from '../../support/bucket/copied-files'
import { blobPath } from '../../support/kept-bytes'
import { test } from '../../support/world/http'
import { DAY } from '../../support/world/test-clock'

let engine: Engine
beforeAll(async () => void (engine = await sharedEngine()))

describe.skipIf(noEngine)(withEngine('copies in a bucket'), () => {
  test('public files of the least size get a copy by themselves, and visitors get its address', async ({
    server,
  }) => {
    const { file } = await anOwner(server)
    const before = await file(3 * MIB, { filename: 'before "é".bin' })
    await file(3 * MIB, { is_public: false })
    await file(900_000)
    const { publicCopies } = server.inside
    const choice = await aBucket(engine)
    await publicCopies.setUp(choice, engine.keys)
    const after = await file(17 * MIB)
    await expect
      .poll(() => publicCopies.view())
      .toMatchObject({ state: 'complete', copies: { there: 2, wanted: 2 } })

    expect(publicCopies.view()).toMatchObject({
      problem: null,
      copies: { wanted_bytes: 20 * MIB, there_bytes: 20 * MIB, revoking: 0, damaged: 0 },
      month: { copied_bytes: 20 * MIB, redirects: 0 },
      running: [],
      troubled: [],
    })
    // Beside them there may be the small object with which the host tests the bucket.
    await expect
      .poll(() => contentsOf(engine, choice))
      .toEqual({ objects: [before.blobId, after.blobId].sort(), uploads: 0 })
    for (const it of [before, after]) {
      const answer = await fetch(await addressed(server, it))
      expect([answer.status, await sha256Of(answer)]).toEqual([200, it.sha256])
    }
    publicCopies.handedOver(after, 17 * MIB)
    expect(publicCopies.view().month).toMatchObject({ redirects: 1, redirected_bytes: 17 * MIB })
  })

  test('copies the newest file first, and two at once', async ({ server }) => {
    const { file } = await anOwner(server)
    const old = await file(2 * MIB)
    const files = [await file(2 * MIB), await file(2 * MIB)]
    const { publicCopies } = server.inside
    await publicCopies.setUp(await aBucket(engine, { bytes_per_second: 2_000_000 }), engine.keys)
    await expect.poll(() => publicCopies.view().running.length).toBe(2)

    expect(publicCopies.view().running.map(({ file_id }) => file_id)).toEqual(
      files.reverse().map(({ id }) => id),
    )
    expect(await addressOf(server, old)).toBeUndefined()
    await expect.poll(() => publicCopies.view().state).toBe('complete')
    await addressed(server, old)
  })

  test('a damaged file gets no copy, and its owner can see why', async ({ server }) => {
    const { file } = await anOwner(server)
    const { publicCopies } = server.inside
    const choice = await aBucket(engine)
    const it = await file(20 * MIB)
    const disk = await open(blobPath(server.dataDir, it.blobId), 'r+')
    await disk.write('x', 19 * MIB)
    await disk.close()
    await publicCopies.setUp(choice, engine.keys)
    // It counts as damaged while the journal still writes so: the job ends after that.
    await expect
      .poll(() => publicCopies.view())
      .toMatchObject({ state: 'complete', running: [], copies: { damaged: 1 } })

    expect(publicCopies.view().troubled).toMatchObject([
      { file_id: it.id, filename: it.filename, trouble: 'damaged' },
    ])
    await expect.poll(() => contentsOf(engine, choice)).toEqual({ objects: [], uploads: 0 })
    expect(await addressOf(server, it)).toBeUndefined()
  })
})

describe.skipIf(noEngine)(withEngine('a damaged file with a copy in a bucket'), () => {
  test.override({ config: { idleLookMs: 20 } })

  test('is mended from there', async ({ server, log }) => {
    const { file } = await anOwner(server)
    const { publicCopies } = server.inside
    await publicCopies.setUp(await aBucket(engine), engine.keys)
    const it = await file(3 * MIB)
    await expect.poll(() => publicCopies.view().copies.there).toBe(1)

    const disk = await open(blobPath(server.dataDir, it.blobId), 'r+')
    await disk.write('damaged', 2 * MIB)
    await disk.close()
    server.clock.advance(DAY)
    await expect.poll(() => log.takeErrors()).toMatchObject([{ name: it.filename }])

    const download = () => server.fetch(`/api/files/${it.id}/download?from=host`)
    await expect.poll(async () => (await download()).status).toBe(200)
    expect(await sha256Of(await download())).toBe(it.sha256)
  })
})
