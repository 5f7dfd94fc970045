import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mendSettings } from '../../../server/data/settings/mend-settings'
import { Settings } from '../../../server/data/settings/settings'
import { tempDir } from '../../support/system/temp-dir'

const now = new Date('2026-11-20T14:05:06Z')

test.each([
  [
    '{ "port": "80", "registration_open": false }',
    ['port'],
    { port: 4780, registration_open: false },
  ],
  [
    '{ "uploads_per_hour": 0, "requests_per_hour": 7 }',
    ['uploads_per_hour'],
    { requests_per_hour: 7 },
  ],
  [
    '{ "trusted_proxies": ["10.0.0.2", "proxy.example"] }',
    ['trusted_proxies'],
    { trusted_proxies: [] },
  ],
  [
    '{ "registrationopen": false, "https": 7 }',
    ['https', 'registrationopen'],
    { registration_open: true },
  ],
  [
    '{ "host_name": "Quay", "mirror": { "endpoint": "ftp://x", "bucket": "builds" } }',
    ['mirror', 'mirror.endpoint'],
    { host_name: 'Quay', mirror: null },
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

test('a file of version 1.0 is kept too, and what is valid in its groups stays', async () => {
  const dir = await tempDir()
  await writeFile(
    join(dir, 'settings.json'),
    '{ "limits": { "uploadsPerHour": 0, "requestsPerHour": 7 } }',
  )
  expect((await mendSettings(dir, now)).missing).toEqual(['uploads_per_hour'])
  expect((await Settings.open(dir)).get()).toMatchObject({
    uploads_per_hour: 100,
    requests_per_hour: 7,
  })
})
