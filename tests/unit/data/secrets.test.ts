import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadSecrets } from '../../../server/data/settings/secrets'
import { tempDir } from './temp-dir'

test('secrets are made once, are long, and are for the owner only', async () => {
  const dir = await tempDir()
  const secrets = await loadSecrets(dir)
  expect(secrets.sessionKeys.map((key) => Buffer.from(key, 'base64url').length)).toEqual([32])
  await chmod(join(dir, 'secrets.json'), 0o644)
  expect(await loadSecrets(dir)).toEqual(secrets)
  expect((await stat(join(dir, 'secrets.json'))).mode & 0o777).toBe(0o600)
})

test('two hosts have different secrets', async () => {
  expect(await loadSecrets(await tempDir())).not.toEqual(await loadSecrets(await tempDir()))
})

test.each([
  '',
  '{',
  '{}',
  '{ "sessionKeys": [] }',
  '{ "sessionKeys": ["short"] }',
  '{ "sessionKeys": ["not base64 ******************************"] }',
])('damaged secrets (%s) are refused by name, not replaced, and not quoted', async (text) => {
  const path = join(await tempDir(), 'secrets.json')
  await writeFile(path, text)
  await expect(loadSecrets(join(path, '..'))).rejects.toThrow(`${path} is damaged`)
  expect(await readFile(path, 'utf8')).toBe(text)
})
