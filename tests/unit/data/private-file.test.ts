import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readPrivateFile } from '../../../server/data/private-file'
import { tempDir } from '../../support/system/temp-dir'

test('a file of secrets is read where other accounts cannot read it, or systemd passes it on', async () => {
  const dir = await tempDir()
  const path = join(dir, 'secrets.json')
  const read = (env: NodeJS.ProcessEnv = {}) =>
    readPrivateFile({ name: '--secrets', path, content: 'keys' }, env)
  expect(read).toThrow(`--secrets cannot read ${path}: it does not exist`)
  await writeFile(path, 'x', { mode: 0o600 })
  expect(read()).toBe('x')
  await writeFile(path, 'x'.repeat(70_000))
  expect(read).toThrow(`--secrets ${path} is larger than 64 KiB, so it is another file`)
  await writeFile(path, 'x')
  for (const mode of process.platform === 'win32' ? [] : [0o644, 0o640, 0o604, 0o620]) {
    await chmod(path, mode)
    expect(read).toThrow(
      `--secrets ${path} contains keys, but other accounts can read it. Run: chmod 600 ${path}`,
    )
    expect(read({ CREDENTIALS_DIRECTORY: dir })).toBe('x')
  }
  await mkdir(join(dir, 'a'))
  const folder = { name: '--secrets', path: join(dir, 'a'), content: 'keys' }
  expect(() => readPrivateFile(folder)).toThrow(
    `--secrets takes a file, and ${join(dir, 'a')} is a folder`,
  )
})
