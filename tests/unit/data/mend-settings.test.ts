import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mendSettings } from '../../../server/data/settings/mend-settings'
import { Settings } from '../../../server/data/settings/settings'
import { tempDir } from './temp-dir'

const now = new Date('2026-11-20T14:05:06Z')

test.each([
  ['{ "port": "80", "registrationOpen": false }', ['port'], { port: 4780, registrationOpen: false }],
  ['{ "limits": { "uploadsPerHour": 0, "requestsPerHour": 7 } }', ['limits.uploadsPerHour'], { port: 4780 }],
  ['{ "trustedProxies": ["10.0.0.2", "proxy.example"], "name": "Quay" }', ['trustedProxies'], { trustedProxies: [] }],
  ['{ "registrationopen": false, "https": 7 }', ['https', 'registrationopen'], { registrationOpen: true }],
  [
    '{ "name": "Quay", "mirror": { "endpoint": "ftp://x", "bucket": "builds" } }',
    ['mirror', 'mirror.endpoint'],
    { name: 'Quay', mirror: null },
  ],
  ['{ "port": 80', [], { port: 4780 }],
  ['null', [], { port: 4780 }],
  ['[1, 2]', [], { port: 4780 }],
])('%s: the file is kept, and what is valid in it stays', async (text, missing, expected) => {
  const dir = await tempDir()
  await writeFile(join(dir, 'settings.json'), text)
  const mended = await mendSettings(dir, now)

  expect(mended.keptAs).toBe(join(dir, 'settings.invalid-2026-11-20T14-05-06.json'))
  expect(mended.missing.sort()).toEqual(missing)
  expect(await readFile(mended.keptAs, 'utf8')).toBe(text)
  expect((await Settings.open(dir)).get()).toMatchObject(expected)
  expect(await readdir(dir)).toHaveLength(2)
})

test('what is beside a wrong one stays', async () => {
  const dir = await tempDir()
  await writeFile(join(dir, 'settings.json'), '{ "limits": { "uploadsPerHour": 0, "requestsPerHour": 7 } }')
  await mendSettings(dir, now)
  expect((await Settings.open(dir)).get().limits).toMatchObject({ uploadsPerHour: 100, requestsPerHour: 7 })
})
