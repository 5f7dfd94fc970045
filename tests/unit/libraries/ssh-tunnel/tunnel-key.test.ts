import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { realDisk } from '../../../../server/core/durable-file'
import { authorizedKeyLine, tunnelKey } from '../../../../server/libraries/ssh-tunnel/tunnel-key'
import { tempDir } from '../../../support/system/temp-dir'

let dataDir: string
beforeEach(async () => {
  dataDir = await tempDir()
})

test('makes one Ed25519 key that only its owner reads, and keeps it', async () => {
  const made = await tunnelKey(dataDir, realDisk)
  expect(made.publicLine).toMatch(/^ssh-ed25519 [A-Za-z0-9+/]{68} slipway$/)
  expect((await stat(join(dataDir, 'tunnel-key'))).mode & 0o777).toBe(0o600)

  expect(await tunnelKey(dataDir, realDisk)).toEqual(made)
})

test('limits the key to one port of the server', () => {
  expect(authorizedKeyLine({ publicLine: 'ssh-ed25519 AAAA slipway' }, 8443)).toBe(
    'restrict,port-forwarding,permitlisten="8443" ssh-ed25519 AAAA slipway',
  )
})

test.each([
  ['cut', (text: string) => text.slice(0, 200)],
  ['changed', (text: string) => text.replace(/^(.{90})./s, '$1!')],
  ['empty', () => ''],
])('never replaces a key that is %s, and does not quote it', async (_title, damage) => {
  await tunnelKey(dataDir, realDisk)
  const path = join(dataDir, 'tunnel-key')
  const text = await readFile(path, 'utf8')
  const damaged = damage(text)
  await writeFile(path, damaged)

  const error: unknown = await tunnelKey(dataDir, realDisk).catch((thrown: unknown) => thrown)
  expect(String(error)).toMatch(/tunnel-key is damaged/)
  expect(String(error)).not.toContain(text.split('\n')[1])
  expect(await readFile(path, 'utf8')).toBe(damaged)
})

test('leaves no half key on a full disk', async () => {
  const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  const disk = {
    ...realDisk,
    open: async (...args: Parameters<typeof realDisk.open>) => {
      const file = await realDisk.open(...args)
      return Object.assign(file, { write: () => Promise.reject(full) })
    },
  }
  await expect(tunnelKey(dataDir, disk)).rejects.toThrow('no space left')

  expect(await readdir(dataDir)).not.toContain('tunnel-key')
  expect((await tunnelKey(dataDir, realDisk)).publicLine).toContain('ssh-ed25519')
})
