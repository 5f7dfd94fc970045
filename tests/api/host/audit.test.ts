import { appendFile, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { AuditEvent, AuditKind } from '../../../server/contract'
import { recordBackup } from '../../../server/features/audit/audit-log'
import { backUp } from '../../../server/data/backup/backup'
import { restore } from '../../../server/data/backup/restore'
import { aFile, aLink, aProject } from '../../support/world/factories'
import { PASSWORD } from '../../support/world/password'
import { refusal } from '../../support/network/reply'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { DAY, MINUTE } from '../../support/world/test-clock'

const folderOf = (server: TestServer) => join(server.dataDir, 'audit')
const brief = ({ kind, username, subject, detail }: AuditEvent) => [kind, username, subject, detail]

async function linesOf(server: TestServer): Promise<string> {
  await server.inside.audit.close()
  const names = await readdir(folderOf(server))
  return (
    await Promise.all(names.map((name) => readFile(join(folderOf(server), name), 'utf8')))
  ).join('')
}

describe('audit.list', () => {
  test('lists who did what', async ({
    server,
    alice,
    bob,
    atWindow: { client: host },
    signedIn: { client },
  }) => {
    const project = await aProject(server, alice, { is_public: true })
    const file = await aFile(server, alice, { filename: 'rocket.apk' })
    await client.files.setVisibility({ id: file.file_id, is_public: true })
    await client.files.setVisibility({ id: file.file_id, is_public: true })
    await aLink(server, alice, project, file)
    await client.projects.unlink({ id: project.slug, downloadId: file.file_id })
    await client.collaborators.add({ id: project.slug, username: 'bob' })
    await client.collaborators.remove({ id: project.slug, collaboratorId: bob.id })
    await client.projects.update({ id: project.slug, is_public: false, title: 'Spaceship' })
    await client.files.remove({ id: file.file_id })
    await client.trash.restore({ id: file.file_id })
    await client.projects.remove({ id: project.slug })
    await client.trash.remove({ id: project.project_id })
    const { key } = await client.apiKeys.create({ name: 'CI', scopes: ['upload'] })
    await client.apiKeys.revoke({ id: key.key_id })
    await client.apiKeys.remove({ id: key.key_id })
    await client.accounts.logout({})
    await host.people.update({ id: bob.id, tier_name: 'Pro', disabled: true })
    await host.people.update({ id: bob.id, disabled: false })
    await host.people.setRegistration({ open: false })
    await host.settings.change({ uploads_per_hour: 7 })

    const { events, has_more } = await host.audit.list({})
    expect(has_more).toBe(false)
    expect(events.map(brief)).toEqual([
      ['settings_change', 'host', null, 'uploads_per_hour: 100 → 7'],
      ['registration_close', 'host', null, null],
      ['account_enable', 'host', 'bob', null],
      ['account_disable', 'host', 'bob', null],
      ['tier_change', 'host', 'bob', 'Free → Pro'],
      ['sign_out', 'alice', null, null],
      ['key_delete', 'alice', 'CI', null],
      ['key_revoke', 'alice', 'CI', null],
      ['key_create', 'alice', 'CI', 'upload'],
      ['project_erase', 'alice', 'Spaceship', null],
      ['project_delete', 'alice', 'Spaceship', null],
      ['file_restore', 'alice', 'rocket.apk', null],
      ['file_delete', 'alice', 'rocket.apk', null],
      ['project_visibility', 'alice', 'Spaceship', 'private'],
      ['collaborator_remove', 'alice', 'bob', 'Rocket'],
      ['collaborator_add', 'alice', 'bob', 'Rocket'],
      ['file_unlink', 'alice', 'rocket.apk', 'Rocket'],
      ['file_link', 'alice', 'rocket.apk', 'Rocket'],
      ['file_visibility', 'alice', 'rocket.apk', 'public'],
      ['file_upload', 'alice', 'rocket.apk', 'private'],
      ['project_create', 'alice', 'Rocket', 'public'],
      ['sign_in', 'alice', null, null],
      ['sign_in', 'host', null, null],
    ])
  })

  test('records the window, a browser, or which API key', async ({
    server,
    alice,
    atWindow: { client: host },
  }) => {
    await server.signedIn(alice)
    await aProject(server, alice)

    const { events } = await host.audit.list({})
    expect(events.map(({ via, key_name, address }) => [via, key_name, address])).toEqual([
      ['api_key', 'tests', '127.0.0.1'],
      ['browser', null, '127.0.0.1'],
      ['window', null, '127.0.0.1'],
    ])
  })

  test('records accounts and their refusals', async ({ server, atWindow: { client: host } }) => {
    const visitor = server.visitor()
    await visitor.accounts.register({
      username: 'alice',
      email: 'alice@example.com',
      password: PASSWORD,
    })
    const wrong = (username: string) =>
      visitor.accounts.login({ username, password: 'not this one' })
    await expect(wrong('alice')).rejects.toMatchObject(refusal('bad_credentials'))
    await expect(wrong('my secret, typed in the wrong field')).rejects.toMatchObject(
      refusal('bad_credentials'),
    )
    const alice = server.user('alice')
    const { client } = await server.signedIn(alice)
    await client.accounts.changePassword({
      current_password: PASSWORD,
      new_password: 'another horse',
    })
    await host.people.resetPassword({ id: alice.id })

    const { events } = await host.audit.list({})
    expect(events.map(brief)).toEqual([
      ['password_reset', 'host', 'alice', null],
      ['password_change', 'alice', null, null],
      ['sign_in', 'alice', null, null],
      ['sign_in_failed', null, null, null],
      ['sign_in_failed', null, 'alice', null],
      ['register', 'alice', null, null],
      ['sign_in', 'host', null, null],
    ])
    const { events: hers } = await host.audit.list({ user_id: alice.id })
    const kinds: AuditKind[] = [
      'password_reset',
      'password_change',
      'sign_in',
      'sign_in_failed',
      'register',
    ]
    expect(hers.map(({ kind }) => kind)).toEqual(kinds)
  })

  test('keeps pages stable while more happens', async ({
    server,
    clock,
    alice,
    atWindow: { client: host },
  }) => {
    for (let n = 0; n < 7; n++) {
      await aProject(server, alice, { title: `Project ${n}` })
      clock.advance(DAY / 2)
    }
    const seen: (string | null)[] = []
    let before: string | undefined
    for (;;) {
      const asked = {
        limit: 3,
        kind: 'project_create' as const,
        ...(before === undefined ? {} : { before }),
      }
      const { events, has_more } = await host.audit.list(asked)
      seen.push(...events.map(({ subject }) => subject))
      before = events.at(-1)?.event_id
      await aProject(server, alice, { title: 'Later' })
      if (!has_more) break
    }
    expect(seen).toEqual([6, 5, 4, 3, 2, 1, 0].map((n) => `Project ${n}`))
  })
})

describe('the audit log on disk', () => {
  test('holds no secrets', async ({
    server,
    alice,
    atWindow: { client: host },
    signedIn: { client, browser },
  }) => {
    const { api_key } = await client.apiKeys.create({ name: 'CI' })
    await fetch(`${server.url}/api/projects/my`, { headers: { 'x-api-key': api_key } })
    await server
      .visitor()
      .accounts.login({ username: 'pass phrase', password: 'hunter22' })
      .catch(() => undefined)
    const { password } = await host.people.resetPassword({ id: alice.id })

    const text = await linesOf(server)
    const session = /sid=([^;]+)/.exec(browser.cookie)?.[1] ?? ''
    const secrets = [
      PASSWORD,
      api_key,
      password,
      'hunter22',
      'pass phrase',
      session,
      alice.passwordHash,
    ]
    expect(session).not.toBe('')
    for (const secret of secrets) expect(text.includes(secret), secret).toBe(false)
    expect(text.split('\n').length).toBeGreaterThan(4)
  })

  test('is readable by its owner only, and skips damaged lines', async ({
    server,
    atWindow: { client: host },
  }) => {
    await linesOf(server)
    const file = join(folderOf(server), '2030-01-02.jsonl')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(folderOf(server))).mode & 0o777).toBe(0o700)
    await appendFile(file, '{"half a li')
    await host.people.setRegistration({ open: false })
    await server.inside.audit.close()
    await appendFile(file, `\0\0\0\n\n[1]\n{"kind":"unknown"}\n${'x'.repeat(200_000)}\n`)

    const { events } = await host.audit.list({})
    expect(events.map(({ kind }) => kind)).toEqual(['registration_close', 'sign_in'])
  })

  test('a failing disk fails no request; events come later', async ({
    server,
    log,
    atWindow: { client: host },
  }) => {
    await linesOf(server)
    await rename(folderOf(server), `${folderOf(server)}-away`)
    await writeFile(folderOf(server), 'in the way')
    await host.people.setRegistration({ open: false })
    await server.inside.audit.close()
    await host.people.setRegistration({ open: true })
    await server.inside.audit.close()
    expect(log.takeErrors()).toHaveLength(1)
    await rm(folderOf(server))
    await rename(`${folderOf(server)}-away`, folderOf(server))

    const { events } = await host.audit.list({})
    expect(events.map(({ kind }) => kind)).toEqual([
      'registration_open',
      'registration_close',
      'sign_in',
    ])
  })

  test('is kept for 90 days', async ({ server, clock, atWindow: { client: host } }) => {
    await linesOf(server)
    for (let day = 0; day < 90; day += 9) {
      clock.advance(9 * DAY)
      const { client } = await server.atWindow(server.user('host'))
      await client.people.setRegistration({ open: day % 2 === 0 })
    }
    await linesOf(server)
    await server.inside.audit.sweep(clock.now())
    expect((await readdir(folderOf(server))).sort()[0]).toBe('2030-01-02.jsonl')
    clock.advance(DAY + MINUTE)
    await server.inside.audit.sweep(clock.now())
    expect((await readdir(folderOf(server))).sort()[0]).toBe('2030-01-11.jsonl')
    await expect(host.audit.list({})).rejects.toMatchObject(refusal('not_found'))
  })

  test('comes back with a backup', async ({ server, folder, atWindow: { client: host } }) => {
    await linesOf(server)
    const made = await backUp(server.dataDir, join(folder, 'backups'), new Date(), {
      ...server.stored,
    })
    await recordBackup(server.dataDir, server.clock.now(), made.path)
    const restored = join(folder, 'restored')
    await restore(join(folder, 'backups'), restored)

    const { events } = await host.audit.list({})
    expect(events[0]).toMatchObject({
      kind: 'backup',
      via: 'command_line',
      subject: made.path,
      address: null,
    })
    const names = await readdir(join(restored, 'audit'))
    expect(names).toEqual(['2030-01-02.jsonl'])
    expect(await readFile(join(restored, 'audit', names[0]!), 'utf8')).toContain('"sign_in"')
    expect((await stat(join(restored, 'audit', names[0]!))).mode & 0o777).toBe(0o600)
  })
})
