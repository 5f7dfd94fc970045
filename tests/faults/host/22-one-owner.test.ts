import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { upload } from '../../support/world/upload'
import { slipway } from '../../support/world/process'
import { fetchAt, register, startHost } from '../../support/world/place'
import { tempDir } from '../../support/system/temp-dir'

async function aDataDir(): Promise<string> {
  const base = await tempDir()
  return join(base, 'data')
}

async function filesOf(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

test('22: one process owns a folder; a second one, and every repair, leaves in one sentence and touches nothing', async () => {
  const dir = await aDataDir()
  const host = await startHost(dir)
  await upload(fetchAt(await register(host)), new File(['kept'], 'a.txt'))
  // The owner itself writes these a moment later, and a heartbeat into its lock.
  const own = ['audit', 'byte-check.json', 'library.reserve'].map((name) => join(dir, name))
  const others = async () =>
    (await filesOf(dir)).filter((path) => !own.some((start) => path.startsWith(start)))
  const read = async (path: string) => {
    const text = (await readFile(path, 'latin1')).replace(/"beat":\d+/, '')
    return [path, text] as const
  }
  const contents = async () => Object.fromEntries(await Promise.all((await others()).map(read)))
  const before = await contents()
  const inUse = new RegExp(
    `^[^\\n]* is in use by another Slipway \\(process ${host.process.pid}\\)\\n$`,
  )
  for (const args of [['serve', '--port', '0'], ['verify'], ['rebuild']]) {
    const { code, output } = await slipway(...args, '--data', dir)
    expect([code, output]).toEqual([1, expect.stringMatching(inUse)])
  }
  expect(await contents()).toEqual(before)
})

test('22: folders have mode 0700 and files 0600, with any umask', async () => {
  const dir = await aDataDir()
  const host = await startHost(dir, { under: ['sh', '-c', 'umask 0; exec "$@"', 'sh'] })
  await upload(fetchAt(await register(host)), new File(['kept'], 'a.txt'))
  const paths = [dir, ...(await readdir(dir, { recursive: true })).map((name) => join(dir, name))]
  for (const path of paths) {
    const info = await stat(path)
    expect([path, (info.mode & 0o777).toString(8)]).toEqual([
      path,
      info.isDirectory() ? '700' : '600',
    ])
  }
})
