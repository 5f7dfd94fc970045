import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readLibrary } from '../../../server/data/library/read-library'
import { verify } from '../../../server/data/repair/verify'
import { killAt, ONE_THREAD } from '../../support/crash/kill-at'
import { upload } from '../../support/world/upload'
import { until } from '../../support/world/process'
import { clientAt, fetchAt, type Place, register, startHost } from '../../support/world/place'
import { isFull, named, noRoot } from '../../support/system/rounds'
import { tempDir } from '../../support/system/temp-dir'

const VERSIONS = ['1', '2', '3', '4']
/**
 * Before which steps a host is killed; those between the moves of two releases in the short form.
 */
const KILLED_AT = isFull ? Array.from({ length: 30 }, (_, index) => index + 1) : [3]

/** A folder with a project of four releases, each with a file. */
async function aProject(dir: string) {
  const host = await startHost(dir)
  const place = await register(host)
  const client = clientAt(place)
  const { project_id: id } = (await client.projects.create({ title: 'Rocket' })).project
  const files = new Map<string, string>()
  for (const version of VERSIONS) {
    await client.releases.create({ id, version, channel: 'nightly' })
    const file = new File([`bytes of ${version}`], `rocket-${version}.zip`)
    files.set(
      (await upload(fetchAt(place), file, { project_id: id, version })).file_id,
      `bytes of ${version}`,
    )
  }
  await host.stop()
  return { place, id, files }
}

const versionsOf = async (place: Place, id: string) =>
  (await clientAt(place).releases.list({ id })).releases.map(({ version }) => version).sort()

const trashOf = async (place: Place) => (await clientAt(place).trash.list({})).items

test.skipIf(noRoot)(
  named(
    '2: kill -9 at each step of moving old releases to the trash: each is here or there, and the next start ends it',
  ),
  async () => {
    const base = await tempDir()
    const { place: before, id, files } = await aProject(join(base, 'data'))
    const found: number[] = []
    for (const step of KILLED_AT) {
      const dir = join(base, `killed-${step}`)
      await cp(join(base, 'data'), dir, { recursive: true })
      const host = await startHost(dir, ONE_THREAD)
      const place = { ...before, url: host.url }
      await killAt(step, host)
      const limit = clientAt(place).retention.update({ id, channel: 'nightly', keep: 1 })
      await limit.catch(() => undefined)
      const isDone = async () =>
        host.process.signalCode !== null || (await trashOf(place).catch(() => [])).length === 3
      await until(isDone)
      // There were fewer steps.
      if (host.process.signalCode === null) break
      const moved = (await readLibrary(dir)).data.collections.trash.size
      found.push(moved)
      expect((await verify(dir, { readData: true })).problems).toEqual([])
      const next = await startHost(dir)
      const later = { ...before, url: next.url }
      // Each kill came after the limit was written.
      await until(async () => (await versionsOf(later, id)).join() === VERSIONS.at(-1))
      for (const { trash_id } of await trashOf(later))
        await clientAt(later).trash.restore({ id: trash_id })
      expect(await versionsOf(later, id)).toEqual(VERSIONS)
      for (const [file, bytes] of files)
        expect(await (await fetchAt(later)(`/api/files/${file}/download`)).text()).toBe(bytes)
      await next.kill()
    }
    if (isFull) expect(new Set(found)).toEqual(new Set([0, 1, 2, 3]))
    else expect(found).toEqual([2])
  },
)
