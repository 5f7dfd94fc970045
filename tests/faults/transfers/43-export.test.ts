import { execFileSync } from 'node:child_process'
import { open, rename, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MB, type ImportProgress } from '../../../server/contract'
import { clientAt, fetchAt, startHost } from '../../support/world/place'
import { aWorld, type Publishing } from '../support/pushing'

/** A file of zeros that takes no space. */
async function aLargeFile(path: string, size: number): Promise<void> {
  const file = await open(path, 'w')
  await file.truncate(size)
  await file.close()
}

/** Runs the command to its end. */
const succeed = async ({ slipway }: Pick<Publishing, 'slipway'>, ...args: string[]) => {
  const ended = await slipway(args).ended()
  expect(ended, ended.stderr).toMatchObject({ code: 0 })
  return ended
}

test('slipway export resumes, and slipway import brings it to another host, kill -9 or not', async () => {
  const [from, to] = [await aWorld(), await aWorld()]
  const path = (name: string) => join(from.folder, name)
  await aLargeFile(path('game-1.0.iso'), 200 * MB)
  await succeed(from, 'push', 'game-1.0.iso', '--project', 'rocket', '--version', '1.0', '--public')

  await succeed(from, 'export', '-o', 'all.zip')
  expect(execFileSync('unzip', ['-tq', path('all.zip')]).toString()).toContain('No errors')
  const { size } = await stat(path('all.zip'))

  // As if the first run had ended in the middle.
  const head = await fetchAt(from.place)('/api/account/export', { method: 'HEAD' })
  await rename(path('all.zip'), path('all.zip.part'))
  await truncate(path('all.zip.part'), 100 * MB + 17)
  await writeFile(path('all.zip.part.etag'), head.headers.get('etag') ?? '')
  expect((await succeed(from, 'export', '-o', 'all.zip')).stderr).not.toContain('starts over')
  expect(execFileSync('unzip', ['-tq', path('all.zip')]).toString()).toContain('No errors')

  await writeFile(path('other.zip.part'), 'an old beginning')
  await writeFile(path('other.zip.part.etag'), '"of another one"')
  expect((await succeed(from, 'export', '-o', 'other.zip')).stderr).toContain('starts over')
  expect((await stat(path('other.zip'))).size).toBe(size)

  const upload = await succeed(to, 'push', path('all.zip'), '--json')
  const [zip] = (JSON.parse(upload.stdout) as { files: { file_id: string }[] }).files
  await killDuringImport(to, zip?.file_id ?? '')
  const again = await startHost(join(to.folder, 'data'))
  const place = { ...to.place, url: again.url }
  const client = clientAt(place)
  expect((await client.projects.mine({})).projects.map(({ slug }) => slug)).toEqual(['rocket'])
  expect((await client.files.mine({})).files.map(({ filename }) => filename)).toEqual(['all.zip'])

  const taken = await to.slipway(['import', zip?.file_id ?? '', '--url', again.url]).ended()
  expect(taken).toMatchObject({ code: 5 })
  await succeed(to, 'import', zip?.file_id ?? '', '--copies', '--url', again.url)
  const { release } = await client.releases.byVersion({ id: 'rocket-2', version: '1.0' })
  expect(release.files).toMatchObject([{ filename: 'game-1.0.iso', size: 200 * MB }])
})

async function killDuringImport({ host, place }: Publishing, fileId: string): Promise<void> {
  const response = await fetchAt(place)('/api/account/import', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ file_id: fileId, as_copy: true }),
  })
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    const [, data = '{}'] = /data: (.*)\n/.exec(decoder.decode(chunk)) ?? []
    const { bytes, result } = JSON.parse(data) as ImportProgress
    expect(result, 'the import was too fast to be killed').toBeNull()
    if (bytes > 0) break
  }
  await host.kill()
}
