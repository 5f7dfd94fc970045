import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Settings } from '../../../server/data/settings/settings'
import { diskError, RehearsalDisk } from './library/rehearsal-disk'
import { tempDir } from './temp-dir'

/** The defaults; the limits have their own tests. */
const defaults = { host: '127.0.0.1', port: 4780, publicUrl: null, registrationOpen: true }

test('a new host has the defaults, and a change survives a restart', async () => {
  const dir = await tempDir()
  const settings = await Settings.open(dir)
  expect(settings.get()).toMatchObject(defaults)
  expect(await settings.update({ port: 8080, publicUrl: 'https://builds.example.com' })).toMatchObject({ port: 8080 })
  const expected = { ...defaults, port: 8080, publicUrl: 'https://builds.example.com' }
  expect((await Settings.open(dir)).get()).toMatchObject(expected)
  expect(await readdir(dir)).toEqual(['settings.json'])
  expect((await stat(join(dir, 'settings.json'))).mode & 0o777).toBe(0o600)
})

test('a person may name only what differs', async () => {
  const dir = await tempDir()
  await writeFile(join(dir, 'settings.json'), '{ "host": "0.0.0.0" }')
  expect((await Settings.open(dir)).get()).toMatchObject({ ...defaults, host: '0.0.0.0' })
})

test('applies all concurrent changes', async () => {
  const dir = await tempDir()
  const settings = await Settings.open(dir)
  await Promise.all([
    settings.update({ port: 1 }),
    settings.update({ registrationOpen: false }),
    settings.update({ port: 2 }),
  ])
  expect((await Settings.open(dir)).get()).toMatchObject({ ...defaults, port: 2, registrationOpen: false })
})

test.each([
  ['', 'is not valid JSON, line 1'],
  ['{\n "port": 80,\n "host": "::"', 'is not valid JSON, line 3'],
  ['{\n "port": 80\n "host": "::" }', 'is not valid JSON, line 3'],
  ['null', 'is not valid'],
  ['{ "port": "80" }', 'port'],
  ['{ "port": 65536 }', 'port'],
  ['{ "publicUrl": "builds.example.com" }', 'publicUrl'],
  ['{ "publicUrl": "ftp://builds.example.com" }', 'publicUrl'],
  ['{ "limits": { "uploadsPerHour": 0 } }', 'limits: uploadsPerHour'],
  ['{ "registrationopen": false }', 'registrationopen'],
])('%s is refused and left as it is', async (text, what) => {
  const dir = await tempDir()
  const path = join(dir, 'settings.json')
  await writeFile(path, text)
  await expect(Settings.open(dir)).rejects.toThrow(path)
  await expect(Settings.open(dir)).rejects.toThrow(what)
  expect(await readFile(path, 'utf8')).toBe(text)
})

test('an invalid change changes nothing and does not stop the next', async () => {
  const settings = await Settings.open(await tempDir())
  await expect(settings.update({ port: -1 })).rejects.toThrow('port')
  expect(settings.get()).toMatchObject(defaults)
  await settings.update({ port: 1 })
  expect(settings.get().port).toBe(1)
})

test('a change that the disk refuses changes nothing', async () => {
  const dir = await tempDir()
  const disk = new RehearsalDisk()
  const settings = await Settings.open(dir, disk)
  await settings.update({ port: 1 })
  for (const failing of ['write', 'sync', 'rename']) {
    disk.before = (operation) => {
      if (operation === failing) throw diskError('ENOSPC')
    }
    await expect(settings.update({ port: 2 })).rejects.toMatchObject({ code: 'ENOSPC' })
    expect(settings.get().port).toBe(1)
    expect((await Settings.open(dir)).get().port).toBe(1)
  }
  disk.before = () => undefined
  await settings.update({ port: 3 })
  expect((await Settings.open(dir)).get().port).toBe(3)
})
