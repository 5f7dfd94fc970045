import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { problem } from '../../support/network/reply'
import { changeSettings } from '../../support/world/change-settings'
import { test } from '../../support/world/http'

describe('settings.change of reaching the host from the internet', () => {
  const update = {
    internet_name: 'Builds.Example.org',
    name_update: 'dyndns2',
    name_update_url: 'https://members.example/nic/update',
    name_update_user: 'maya',
  } as const

  test('keeps the password of the name in one file', async ({ server, atWindow: { client } }) => {
    const { settings } = await client.settings.change({
      ...update,
      name_update_password: 'a staple',
    })
    expect(settings).toMatchObject({
      ...update,
      internet_name: 'builds.example.org',
      name_update_password_set: true,
    })
    const shown = JSON.stringify([
      settings,
      await client.settings.show({}),
      await client.audit.list({}),
    ])
    expect(shown).not.toContain('a staple')
    expect((await client.audit.list({})).events[0]?.detail).toContain(
      'name_update_password: changed',
    )
    const secrets = join(server.dataDir, 'secrets.json')
    expect(JSON.parse(await readFile(secrets, 'utf8'))).toMatchObject({ namePassword: 'a staple' })
    expect(await readFile(join(server.dataDir, 'settings.json'), 'utf8')).not.toContain('a staple')

    const removed = await client.settings.change({ name_update: 'off', name_update_password: null })
    expect(removed.settings.name_update_password_set).toBe(false)
    expect(await readFile(secrets, 'utf8')).not.toContain('a staple')
  })

  test('forgets that the provider refused a password', async ({ server, atWindow: { client } }) => {
    const file = join(server.dataDir, 'name-update.json')
    const at = '2030-01-02T03:04:05.000Z'
    await writeFile(
      file,
      JSON.stringify({ settings: 'hash', sent: 'hash', at, refusal: 'badauth' }),
    )
    await client.settings.change({ name_update_password: 'another staple' })
    await expect(readFile(file)).rejects.toThrow('ENOENT')
  })

  test('refuses to update a name without all it needs', async ({ server, atWindow }) => {
    const before = server.inside.settings.get()
    for (const field of [
      'internet_name',
      'name_update_url',
      'name_update_user',
      'name_update_password',
    ]) {
      const input = field in update ? { ...update, [field]: '' } : update
      expect(await changeSettings(atWindow, input)).toEqual(problem('invalid_input', field))
    }
    expect(server.inside.settings.get()).toEqual(before)
  })

  test('forgets the confirmed key of a tunnel when the server changes', async ({
    atWindow: { client },
  }) => {
    const tunnel_fingerprint = `SHA256:${'x'.repeat(43)}`
    await client.settings.change({ tunnel_server: 'vps.example', tunnel_fingerprint })
    const kept = await client.settings.change({ tunnel_user: 'maya' })
    expect(kept.settings).toMatchObject({ tunnel_server: 'vps.example', tunnel_fingerprint })
    const moved = await client.settings.change({ tunnel_server: 'other.example' })
    expect(moved.settings.tunnel_fingerprint).toBeNull()
  })
})
