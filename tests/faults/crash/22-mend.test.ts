import { appendFile, cp, readdir, readFile, rename, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { upload } from '../../support/world/upload'
import { Host, slipway } from '../../support/world/process'
import { clientAt, fetchAt, type Place, register, startHost } from '../../support/world/place'
import { tempDir } from '../../support/system/temp-dir'

const aHost = (dir: string) => startHost(dir, { checkpointBytes: 10_000_000 })

async function post(place: Place, project: string, texts: readonly string[]): Promise<void> {
  for (const content of texts) await clientAt(place).posts.add({ id: project, content })
}

/**
 * A library into which two hosts have written: both begin with the same files, which one of them
 * takes along in a folder of its own; then the log of the other comes back into the first one's
 * folder, as two owners of one folder leave it.
 */
async function aFork(long: number, short: number) {
  const base = await tempDir()
  const data = join(base, 'data')
  const other = join(base, 'other')
  const first = await aHost(data)
  const place = await register(first)
  const { project } = await clientAt(place).projects.create({ title: 'Rocket' })
  const kept = await upload(fetchAt(place), new File(['kept'], 'kept.txt'))
  await cp(data, other, { recursive: true, filter: (path) => !path.endsWith('.lock') })
  const texts = (name: string, count: number) =>
    Array.from({ length: count }, (_, n) => `${name} ${n}`)
  await post(place, project.project_id, texts('first', long))
  await first.stop()
  const second = await aHost(other)
  const there = { ...place, url: second.url }
  const lost = await upload(fetchAt(there), new File(['lost'], 'lost.txt'))
  await post(there, project.project_id, texts('second', short))
  await clientAt(there).projects.update({ id: project.project_id, title: 'Renamed' })
  await second.stop()
  await rename(join(other, 'library.2.log'), join(data, 'library.2.log'))
  await cp(join(other, 'blobs'), join(data, 'blobs'), { recursive: true, force: false })
  return { data, place, project: project.project_id, kept: kept.file_id, lost: lost.file_id }
}

async function filesOf(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  return paths.filter((path) => !path.endsWith('.lock')).sort()
}

const contents = async (dir: string) =>
  Promise.all((await filesOf(dir)).map((path) => readFile(path, 'latin1')))

test('mend keeps the longer branch of a forked library, shows what it drops, and keeps a copy', async () => {
  const { data, place, project, kept, lost } = await aFork(20, 3)
  const forked =
    /library\.2\.log continues with transaction \d+ after \d+, because two hosts .* run `slipway mend`/
  await expect(Host.start(data)).rejects.toThrow(forked)
  expect((await slipway('verify', '--data', data)).output).toMatch(forked)
  const before = await contents(data)
  const shown = await slipway('mend', '--data', data)
  expect(shown.code).toBe(1)
  for (const line of [
    /Kept: the branch with \d+ changes\. Dropped: the branch with \d+ changes:/,
    /\n {2}files: 1 new \(lost\.txt\)\n/,
    /\n {2}projects: 1 changed \(Renamed\)\n/,
    /\n {2}posts: 3 new \(second 0, second 1, second 2\)\n/,
    /Nothing was changed\. Add --yes to drop it without this question\.\n$/,
  ])
    expect(shown.output).toMatch(line)
  expect(await contents(data)).toEqual(before)
  const mended = await slipway('mend', '--yes', '--data', data)
  expect([mended.code, mended.output]).toEqual([
    0,
    expect.stringContaining('and 1 file of the dropped branch'),
  ])
  expect((await slipway('verify', '--read-data', '--data', data)).output).toContain(
    'No problems found.',
  )
  const copy = join(
    data,
    (await readdir(data)).find((name) => name.startsWith('before-mend-'))!,
  )
  const copied = (await filesOf(copy)).filter((path) => /\/[^./]+$/.test(path))
  expect(await Promise.all(copied.map((path) => readFile(path, 'utf8')))).toEqual(['lost'])
  expect(await readFile(join(copy, 'dropped.txt'), 'utf8')).toContain('lost.txt')
  const host = await aHost(data)
  const client = clientAt({ ...place, url: host.url })
  const { posts } = await client.posts.list({ id: project, limit: 100 })
  expect(posts.map(({ content }) => content).sort()).toEqual(
    Array.from({ length: 20 }, (_, n) => `first ${n}`).sort(),
  )
  expect((await client.projects.byId({ id: project })).project.title).toBe('Rocket')
  const status = async (id: string) =>
    (await fetchAt({ ...place, url: host.url })(`/api/files/${id}/download`)).status
  expect([await status(kept), await status(lost)]).toEqual([200, 404])
})

test('mend refuses a library that is whole, in use or damaged in another way, and changes nothing', async () => {
  const { data, place, project } = await aFork(2, 1)
  await rm(join(data, 'library.2.log'))
  const whole = await slipway('mend', '--yes', '--data', data)
  expect([whole.code, whole.output]).toEqual([
    1,
    expect.stringContaining('is not forked: there is nothing to mend'),
  ])
  const host = await aHost(data)
  const used = await slipway('mend', '--yes', '--data', data)
  expect([used.code, used.output]).toEqual([
    1,
    expect.stringContaining('is in use by another Slipway'),
  ])
  await post({ ...place, url: host.url }, project, ['more'])
  await host.stop()
  await truncate(join(data, 'library.2.log'), 20)
  await appendFile(join(data, 'library.2.log'), '\n')
  const before = await contents(data)
  const damaged = await slipway('mend', '--yes', '--data', data)
  expect([damaged.code, damaged.output]).toEqual([
    1,
    expect.stringContaining('restore the data folder from a backup'),
  ])
  expect(await contents(data)).toEqual(before)
})
