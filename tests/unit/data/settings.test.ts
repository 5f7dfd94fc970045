import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Settings } from '../../../server/data/settings/settings'
import { diskError, RehearsalDisk } from './library/rehearsal-disk'
import { tempDir } from '../../support/system/temp-dir'

/** The defaults; the limits have their own tests. */
const defaults = { host: '127.0.0.1', port: 4780, public_url: null, registration_open: true }

test('a new host has the defaults, and a change survives a restart', async () => {
  const dir = await tempDir()
  const settings = await Settings.open(dir)
  expect(settings.get()).toMatchObject(defaults)
  expect(
    await settings.update({ port: 8080, public_url: 'https://builds.example.com' }),
  ).toMatchObject({ port: 8080 })
  const expected = { ...defaults, port: 8080, public_url: 'https://builds.example.com' }
  expect((await Settings.open(dir)).get()).toMatchObject(expected)
  expect(await readdir(dir)).toEqual(['settings.json'])
  expect((await stat(join(dir, 'settings.json'))).mode & 0o777).toBe(0o600)
})

test('a person may name only what differs', async () => {
  const dir = await tempDir()
  await writeFile(join(dir, 'settings.json'), '{ "host": "0.0.0.0" }')
  expect((await Settings.open(dir)).get()).toMatchObject({ ...defaults, host: '0.0.0.0' })
})

test('reads a file of version 1.0, with groups and without upper limits, and rewrites it with the first change', async () => {
  const dir = await tempDir()
  const path = join(dir, 'settings.json')
  const old = {
    ...{
      name: 'Quay',
      host: '0.0.0.0',
      addresses: ['192.0.2.7'],
      port: 0,
      publicUrl: 'https://builds.example/here',
    },
    ...{ registrationOpen: false, defaultTier: 'Pro', trustedProxies: ['10.0.0.2'] },
    limits: {
      requestsPerHour: 7_000_000,
      connectionsPerAddress: 3,
      failedSignInsPerAddress: 4,
      bytesPerSecondInAll: 9000,
    },
    https: { mode: 'own', certificate: '/a.crt', key: '/a.key', redirect: false },
    desktop: {
      notifyBuilds: false,
      theme: 'dark',
      updateFeed: 'https://feed.example/',
      toldOfTray: true,
    },
    internet: {
      ...{
        way: 'router',
        termsAccepted: 'https://acme.example/',
        reopensRegistration: true,
        name: 'builds.example',
      },
      ...{
        port: 4780,
        acmeDirectory: 'https://acme.example/',
        acmeEmail: 'maya@example.com',
        stunServer: '',
      },
      nameUpdate: { way: 'dyndns2', url: 'https://dns.example/', user: 'maya' },
      tunnel: {
        server: 'vps.example',
        port: 2222,
        user: 'root',
        remotePort: 443,
        fingerprint: null,
      },
    },
    mirror: {
      use: 'off',
      endpoint: 'https://s3.example',
      bucket: 'builds',
      pathStyle: false,
      leastBytes: 9_000_000,
    },
  }
  await writeFile(path, JSON.stringify(old))
  const settings = await Settings.open(dir)
  const expected = {
    ...{ host_name: 'Quay', host: '0.0.0.0', shared_addresses: ['192.0.2.7'], port: 0 },
    ...{ public_url: 'https://builds.example/here', registration_open: false, default_tier: 'Pro' },
    ...{ trusted_proxies: ['10.0.0.2'], requests_per_hour: 1_000_000, connections_per_address: 3 },
    ...{ failed_sign_ins_per_address: 4, bytes_per_second_in_all: 9000, uploads_per_hour: 100 },
    ...{ https: 'own', https_certificate: '/a.crt', https_key: '/a.key', https_redirect: false },
    ...{
      notify_builds: false,
      theme: 'dark',
      update_feed: 'https://feed.example/',
      told_of_tray: true,
    },
    ...{
      internet_way: 'router',
      terms_accepted: 'https://acme.example/',
      reopens_registration: true,
    },
    ...{
      internet_name: 'builds.example',
      internet_port: 4780,
      acme_directory: 'https://acme.example/',
    },
    ...{ acme_email: 'maya@example.com', stun_server: '', name_update: 'dyndns2' },
    ...{
      name_update_url: 'https://dns.example/',
      name_update_user: 'maya',
      tunnel_server: 'vps.example',
    },
    ...{
      tunnel_port: 2222,
      tunnel_user: 'root',
      tunnel_remote_port: 443,
      tunnel_fingerprint: null,
    },
  }
  expect(settings.get()).toMatchObject(expected)
  expect(settings.get().mirror).toEqual({
    ...{
      use: 'off',
      endpoint: 'https://s3.example',
      region: 'auto',
      bucket: 'builds',
      prefix: 'slipway/',
    },
    ...{ path_style: false, least_bytes: 9_000_000, seconds: 3600, bytes_per_second: null },
  })

  await settings.update({ port: 4780 })
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ ...expected, port: 4780 })
})

test('applies all concurrent changes', async () => {
  const dir = await tempDir()
  const settings = await Settings.open(dir)
  await Promise.all([
    settings.update({ port: 1 }),
    settings.update({ registration_open: false }),
    settings.update({ port: 2 }),
  ])
  expect((await Settings.open(dir)).get()).toMatchObject({
    ...defaults,
    port: 2,
    registration_open: false,
  })
})

test.each([
  ['', 'is not valid JSON, line 1'],
  ['{\n "port": 80,\n "host": "::"', 'is not valid JSON, line 3'],
  ['{\n "port": 80\n "host": "::" }', 'is not valid JSON, line 3'],
  ['null', 'is not valid'],
  ['{ "port": "80" }', 'port'],
  ['{ "port": 65536 }', 'port'],
  ['{ "public_url": "builds.example.com" }', 'public_url'],
  ['{ "public_url": "ftp://builds.example.com" }', 'public_url'],
  ['{ "uploads_per_hour": 0 }', 'uploads_per_hour'],
  ['{ "limits": { "uploadsPerHour": 0 } }', 'uploads_per_hour'],
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
