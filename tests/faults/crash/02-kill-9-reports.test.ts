import { randomBytes, randomInt } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readLibrary } from '../../../server/data/library/read-library'
import { promisedBlobs, recordsOf } from '../../../server/data/repair/records'
import type { UploadRecord } from '../../../server/data/records/upload-records'
import { verify } from '../../../server/data/repair/verify'
import { blobIdsIn } from '../../support/kept-bytes'
import { metadata, TusClient } from '../../support/network/tus'
import { aPicture } from '../../support/pictures'
import { send } from '../../support/reports'
import { rounds } from '../../support/system/rounds'
import { tempDir } from '../../support/system/temp-dir'
import { clientAt, register, startHost } from '../../support/world/place'
import { Host, until } from '../../support/world/process'

const ROUNDS = rounds(20, 4)

test('2: kill -9 while reports with files arrive: each acknowledged file is there, and no bytes are left over', async () => {
  const dir = join(await tempDir(), 'data')
  let host = await startHost(dir)
  const client = clientAt(await register(host))
  const { project } = await client.projects.create({ title: 'Rocket' })
  const { url } = await client.testers.create({ id: project.project_id, name: 'Berlin' })
  const door = new URL(url).pathname
  /** What was acknowledged: the pages of reports, and the names of their files. */
  const acknowledged = new Map<string, string[]>()

  const report = async (tus: boolean) => {
    const fetchHere = (to: string, init?: RequestInit) => fetch(host.url + to, init)
    const key = randomBytes(16).toString('base64url')
    const files = [
      [`${key}.log`, randomBytes(randomInt(1, 9000))],
      ['shot.png', aPicture({ width: randomInt(8, 200) })],
    ] as const
    const sent = { fields: { key }, files: tus ? [] : files, headers: { accept: '*/*' } }
    const reply = await send({ fetch: fetchHere }, door, sent)
    expect(reply.status).toBe(201)
    const names = tus ? [] : [`${key}.log`, 'shot.webp']
    acknowledged.set(`/r/${key}`, names)
    if (!tus) return

    const uploads = new TusClient((to, init) => fetchHere(to.replace(/^\/api/, `/r/${key}`), init))
    for (const [filename, bytes] of files) {
      const upload = await uploads.begin(bytes.length, {
        'upload-metadata': metadata({ filename }),
      })
      expect((await uploads.patch(upload, 0, new Uint8Array(bytes))).status).toBe(204)
      names.push(filename.replace('.png', '.webp'))
    }
  }

  for (let round = 0; round < ROUNDS; round++) {
    const before = acknowledged.size
    const work = [false, true, false, true].map(async (tus) => {
      // Until the host no longer answers.
      while (
        await report(tus).then(
          () => true,
          () => false,
        )
      );
    })
    await until(() => Promise.resolve(acknowledged.size > before + 2))
    await pause(randomInt(1, 60))
    await host.kill()
    await Promise.all(work)
    host = round === ROUNDS - 1 ? await startHost(dir) : await Host.start(dir)
  }

  for (const [page, names] of acknowledged) {
    const shown = await fetch(host.url + page)
    expect(shown.status).toBe(200)
    const text = await shown.text()
    for (const name of names) expect(text).toContain(name)
  }

  const leftOver = async () => {
    const { data } = await readLibrary(dir)
    const uploads = [...data.collections.uploads.values()] as UploadRecord[]
    // Unfinished ones go after a week.
    const unfinished = uploads.filter(({ fileId }) => fileId === null)
    const promised = [...promisedBlobs(recordsOf(data)), ...unfinished]
    const named = new Set(promised.map(({ blobId }) => blobId))
    return (await blobIdsIn(dir)).filter((id) => !named.has(id))
  }
  await expect.poll(leftOver, { timeout: 20_000 }).toEqual([])
  await host.stop()
  expect((await verify(dir, { readData: true })).problems).toEqual([])
  console.log(`2: ${ROUNDS} kills, ${acknowledged.size} acknowledged reports, none lost`)
})
