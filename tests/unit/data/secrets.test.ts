import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { changeSecrets, copySecrets, loadSecrets } from '../../../server/data/settings/secrets'
import { realDisk } from '../../../server/core/durable-file'
import { tempDir } from '../../support/system/temp-dir'

test('secrets are made once, are long, and are for the owner only', async () => {
  const dir = await tempDir()
  const secrets = await loadSecrets(dir)
  expect(secrets.sessionKeys.map((key) => Buffer.from(key, 'base64url').length)).toEqual([32])
  await chmod(join(dir, 'secrets.json'), 0o644)
  expect(await loadSecrets(dir)).toEqual(secrets)
  expect((await stat(join(dir, 'secrets.json'))).mode & 0o777).toBe(0o600)
})

test('a copy has everything but the keys of the bucket, for the owner only', async () => {
  const [dir, copy] = [await tempDir(), await tempDir()]
  const secrets = await loadSecrets(dir)
  const mirrorKeys = {
    endpoint: 'https://s3.example',
    accessKeyId: 'GK31',
    secretAccessKey: 'b4c0ffee',
  }
  await changeSecrets(dir, secrets, { mirrorKeys }, realDisk)
  expect((await loadSecrets(dir)).mirrorKeys).toEqual(mirrorKeys)

  expect(await copySecrets(dir, copy)).toBe(true)
  expect(await loadSecrets(copy)).toEqual({ sessionKeys: secrets.sessionKeys })
  expect(await readFile(join(copy, 'secrets.json'), 'utf8')).not.toContain('b4c0ffee')
  expect((await stat(join(copy, 'secrets.json'))).mode & 0o777).toBe(0o600)
})

test('changes at the same time are all saved', async () => {
  const dir = await tempDir()
  const secrets = await loadSecrets(dir)
  const mirrorKeys = {
    endpoint: 'https://s3.example',
    accessKeyId: 'GK31',
    secretAccessKey: 'b4c0ffee',
  }
  await Promise.all([
    changeSecrets(dir, secrets, { namePassword: 'first' }, realDisk),
    changeSecrets(dir, secrets, { mirrorKeys }, realDisk),
    changeSecrets(dir, secrets, { namePassword: 'second' }, realDisk),
  ])
  expect(await loadSecrets(dir)).toEqual({ ...secrets, namePassword: 'second', mirrorKeys })
})

test('damaged secrets are not copied, because they may contain the keys of the bucket', async () => {
  const [dir, copy] = [await tempDir(), await tempDir()]
  await writeFile(join(dir, 'secrets.json'), '{ "mirrorKeys": { "secretAccessKey": "b4c0ffee" }')
  expect(await copySecrets(dir, copy)).toBe(false)
  expect(await readdir(copy)).toEqual([])
})

test.each([
  '{}',
  '{ "sessionKeys": [] }',
  '{ "sessionKeys": ["short"] }',
  `{ "sessionKeys": ["${'*'.repeat(43)}"] }`,
])('damaged secrets (%s) are refused by name, and not replaced', async (text) => {
  const path = join(await tempDir(), 'secrets.json')
  await writeFile(path, text)
  await expect(loadSecrets(join(path, '..'))).rejects.toThrow(`${path} is damaged`)
  expect(await readFile(path, 'utf8')).toBe(text)
})
