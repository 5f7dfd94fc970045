import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { aMailServer } from '../../support/mail/mail-server'
import { aUser } from '../../support/world/factories'
import { json, problem } from '../../support/network/reply'
import { changeSettings } from '../../support/world/change-settings'
import { bucketSchema } from '../../../server/data/settings/settings-schema'
import { test } from '../../support/world/http'
import { listening } from '../../support/system/listening'

describe('settings.show', () => {
  test('returns the settings in force', async ({ server, atWindow }) => {
    const { settings, ...about } = await atWindow.client.settings.show({})
    const usual = {
      sharing: false,
      default_tier: 'Free',
      requests_per_hour: 1000,
      largest_file: 2 * 1024 ** 3,
    }
    expect(settings).toMatchObject({ ...usual, port: server.port, name_update_password_set: false })
    expect(about).toEqual({
      overridden: [],
      authority: null,
      machine_addresses: expect.any(Array) as unknown,
      restored: null,
      release_keys: 'good',
    })
  })

  const fixed = test.extend({ config: { publicUrl: 'https://builds.example' } })
  fixed('tells what the command line decides', async ({ atWindow }) => {
    expect((await atWindow.client.settings.show({})).overridden).toEqual(['public_url'])
  })
})

describe('settings.settleRestored', () => {
  const waiting = {
    public_url: 'https://builds.example',
    trusted_proxies: ['10.0.0.2'],
    webhook_networks: ['10.0.0.0/8'],
    npm_registry: 'https://npm.example',
    python_index: 'https://python.example/simple',
    update_feed: 'https://feed.example/api/projects/slipway/latest',
    internet_way: 'router',
    terms_accepted: 'https://acme.example/directory',
    internet_name: 'builds.example',
    acme_directory: 'https://acme.example/directory',
    tunnel_server: 'vps.example',
    mail_server: 'mail.example',
    mail_from: 'builds@mail.example',
    sso_issuer: 'https://auth.example',
    sso_client_id: 'slipway',
    mirror: { use: 'removing', endpoint: 'https://s3.example', bucket: 'builds' },
  }
  const { public_url, trusted_proxies, webhook_networks, npm_registry, python_index, update_feed } =
    waiting
  const told = {
    public_url,
    trusted_proxies,
    webhook_networks,
    npm_registry,
    python_index,
    update_feed,
  }
  const internet =
    'shared by router, name builds.example, certificates from https://acme.example/directory, tunnel through vps.example'
  const mail = 'mail.example, from builds@mail.example'
  const mirror = 'the bucket builds at https://s3.example'

  test.beforeEach(async ({ server }) => {
    await writeFile(join(server.dataDir, 'restored-settings.json'), JSON.stringify(waiting))
  })

  test('enforces what a backup brought once the host accepts it', async ({ server, atWindow }) => {
    const { client } = atWindow
    const before = await client.settings.show({})
    expect(before.restored).toEqual({
      ...{ ...told, internet, mirror, mail },
      single_sign_on: 'https://auth.example',
    })
    expect(before.settings).toMatchObject({
      public_url: null,
      trusted_proxies: [],
      update_feed: null,
    })
    expect(before.settings).toMatchObject({
      ...{ internet_name: '', tunnel_server: '', sso_issuer: '' },
    })

    const after = await client.settings.settleRestored({ accept: true })
    expect(after.restored).toBeNull()
    expect(after.settings).toMatchObject(told)
    expect(after.settings).toMatchObject({
      internet_name: 'builds.example',
      tunnel_server: 'vps.example',
      sso_issuer: 'https://auth.example',
    })
    const stored = server.inside.settings.get()
    expect(stored).toMatchObject({ public_url, internet_way: 'off', terms_accepted: null })
    expect(stored.mirror).toMatchObject({ use: 'off', bucket: 'builds' })
    expect((await client.audit.list({})).events[0]).toMatchObject({
      kind: 'settings_change',
      detail: expect.stringContaining('accepted: https://builds.example, 10.0.0.2') as unknown,
    })
  })

  test('keeps the bucket that was set up since then', async ({ server, atWindow: { client } }) => {
    const chosen = bucketSchema.parse({ endpoint: 'https://other.example', bucket: 'chosen' })
    await server.inside.settings.update({ mirror: chosen })
    await client.settings.settleRestored({ accept: true })
    expect(server.inside.settings.get().mirror).toEqual(chosen)
  })

  test('forgets it when the host discards it', async ({ server, atWindow: { client } }) => {
    const { restored, settings } = await client.settings.settleRestored({ accept: false })
    expect({ restored, ...settings }).toMatchObject({
      restored: null,
      public_url: null,
      update_feed: null,
    })
    expect(await readdir(server.dataDir)).not.toContain('restored-settings.json')
  })
})

describe('settings.change', () => {
  test('a change applies at once, is saved, leaves the rest', async ({ server, atWindow }) => {
    const wanted = {
      host_name: 'Quay',
      default_tier: 'Pro',
      public_url: 'https://builds.example/',
      start_hidden: true,
    } as const
    const { settings } = await atWindow.client.settings.change(wanted)

    expect(settings).toMatchObject({
      ...wanted,
      public_url: 'https://builds.example',
      notify_downloads: true,
    })
    const onDisk = JSON.parse(
      await readFile(join(server.dataDir, 'settings.json'), 'utf8'),
    ) as object
    expect(onDisk).toMatchObject({ host_name: 'Quay', start_hidden: true, notify_downloads: true })
    expect((await server.visitor().host.about({})).host.share_url).toBe('https://builds.example')
    expect((await aUser(server, 'alice')).tier).toBe('Pro')
    expect(
      (await atWindow.client.settings.change({ public_url: null })).settings.public_url,
    ).toBeNull()
  })

  test('refuses a port below 1024, and nothing is changed', async ({ server, atWindow }) => {
    const before = server.inside.settings.get()

    expect(await changeSettings(atWindow, { host_name: 'Quay', port: 80 })).toEqual(
      problem('invalid_input', 'port'),
    )
    expect(server.inside.settings.get()).toEqual(before)
  })

  test('sharing opens the network at once, and closes it', async ({ server, atWindow }) => {
    expect((await atWindow.client.settings.change({ sharing: true })).settings.sharing).toBe(true)
    expect(server.inside.bound().host).toBe('0.0.0.0')
    expect(server.inside.settings.get().host).toBe('0.0.0.0')

    expect((await atWindow.client.settings.change({ sharing: false })).settings.sharing).toBe(false)
    expect(server.inside.bound().host).toBe('127.0.0.1')
  })

  test('chosen addresses are listened on beside this computer; others are refused', async ({
    server,
    atWindow,
  }) => {
    const [first] = (await atWindow.client.settings.show({})).machine_addresses
    const shared_addresses = first ? [first.address] : []
    const { settings } = await atWindow.client.settings.change({ sharing: true, shared_addresses })
    expect(settings).toMatchObject({ sharing: true, shared_addresses, port: server.port })
    const { host, also } = server.inside.bound()
    expect([host, also]).toEqual(first ? ['127.0.0.1', shared_addresses] : ['0.0.0.0', []])
    expect((await server.fetch('/api/host')).status).toBe(200)

    const unknown = await changeSettings(atWindow, { shared_addresses: ['192.0.2.77'] })
    expect(unknown).toEqual(problem('invalid_input', 'shared_addresses'))
    expect(server.inside.bound().also).toEqual(also)
    await atWindow.client.settings.change({ sharing: false })
    expect(server.inside.bound()).toMatchObject({ host: '127.0.0.1', also: [] })
    expect(server.inside.settings.get().shared_addresses).toEqual(shared_addresses)
    await atWindow.client.settings.change({ sharing: true })
    expect(server.inside.bound().also).toEqual(also)
  })

  test('another port applies at once; a port in use names the next free one', async ({
    server,
    atWindow,
  }) => {
    const taken = await listening(createServer())
    const before = server.port

    expect(await changeSettings(atWindow, { port: taken })).toMatchObject({
      status: 409,
      body: { code: 'taken', field: 'port' },
    })
    expect(server.port).toBe(before)
    const raw = await atWindow.browser.fetch('/api/host/settings', json('PUT', { port: taken }))
    const { error, suggestion: free } = (await raw.json()) as { error: string; suggestion: number }
    expect(error).toMatch(new RegExp(`^Port ${taken} is in use by .+\\. ${free} is free\\.$`))
    await atWindow.client.settings.change({ port: free })
    expect(server.port).toBe(free)
    expect((await server.fetch('/api/host')).status).toBe(200)
  })

  const limited = test.extend({ config: { rateLimits: true } })
  limited('a limit holds for the next request', async ({ server, atWindow }) => {
    const limit = async () => (await server.fetch('/api/host')).headers.get('ratelimit-limit')
    expect(await limit()).toBe('1000')

    await atWindow.client.settings.change({ requests_per_hour: 7 })
    expect(await limit()).toBe('7')
  })
})

describe('settings.testMail', () => {
  test('sends a message with the saved password, which nothing shows', async ({
    server,
    atWindow,
  }) => {
    const mail = await aMailServer({ login: ['quay', 'b4c0ffee'] })
    const { client } = atWindow
    const send = () => client.settings.testMail({ email: 'kim@example.org' })
    await expect(send()).rejects.toMatchObject({ field: 'mail_server' })

    await client.settings.change({ ...mail.settings, mail_password: 'wrong' })
    expect((await send()).problem).toMatch(/^127\.0\.0\.1: it refused the user or the password/)
    expect((await client.settings.show({})).settings.mail_problem).toContain('refused the user')

    await client.settings.change({ mail_password: 'b4c0ffee' })
    expect(await send()).toMatchObject({ problem: null })
    expect(mail.got).toMatchObject([{ to: 'kim@example.org', from: 'builds@example.org' }])

    const shown = await client.settings.show({})
    expect(shown.settings).toMatchObject({ mail_password_set: true, mail_problem: null })
    const { events } = await client.audit.list({})
    expect(events.map(({ detail }) => detail)).toContain('mail_password: changed')
    expect(JSON.stringify([shown, events])).not.toContain('b4c0ffee')
    expect(await readFile(join(server.dataDir, 'settings.json'), 'utf8')).not.toContain('b4c0ffee')

    // The password goes to no other server, and never in the clear.
    const moved = { mail_server: 'mail.example', mail_security: 'tls' } as const
    const { settings } = await client.settings.change(moved)
    expect(settings).toMatchObject({ mail_server: 'mail.example', mail_password_set: false })
    const clear = { mail_security: 'none', mail_password: 'another' } as const
    await expect(client.settings.change(clear)).rejects.toMatchObject({ field: 'mail_security' })
    await expect(client.settings.change({ mail_from: '' })).rejects.toMatchObject({
      field: 'mail_from',
    })
  })

  test('names a server that offers no encryption, or is not there', async ({ atWindow }) => {
    const mail = await aMailServer()
    const { client } = atWindow
    const send = async () => (await client.settings.testMail({ email: 'kim@example.org' })).problem
    await client.settings.change({ ...mail.settings, mail_security: 'starttls' })
    expect(await send()).toMatch(/encryption/)
    await mail.close()
    expect(await send()).toMatch(/the connection failed/)
    expect(mail.got).toEqual([])
  })
})
