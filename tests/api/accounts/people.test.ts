import { describe, expect } from 'vitest'
import { aFile } from '../../support/world/factories'
import { json, problem, refusal, replyOf } from '../../support/network/reply'
import { aStranger, linkBy, signInBy, withProvider } from '../../support/single-sign-on'
import { test } from '../../support/world/http'
import { PASSWORD } from '../../support/world/password'
import { HOUR } from '../../support/world/test-clock'

describe('people.list', () => {
  test('returns every account, oldest first, and what it stores', async ({
    server,
    alice,
    atWindow: { browser },
  }) => {
    const host = server.user('host')
    await aFile(server, alice, { bytes: '12345' })

    expect(await replyOf(browser.fetch('/api/host/people'))).toEqual({
      status: 200,
      body: {
        success: true,
        people: [
          {
            user_id: host.id,
            username: 'host',
            email: 'host@example.com',
            tier_name: 'Enterprise',
            is_host: true,
            disabled: false,
            has_factor: false,
            has_identity: false,
            created_at: host.createdAt,
            files: 0,
            used: 0,
          },
          {
            user_id: alice.id,
            username: 'alice',
            email: 'alice@example.com',
            tier_name: 'Free',
            is_host: false,
            disabled: false,
            has_factor: false,
            has_identity: false,
            created_at: alice.createdAt,
            files: 1,
            used: 5,
          },
        ],
        total: 2,
        deleted: [],
        registration_open: true,
      },
    })
  })
})

describe('people.update', () => {
  test('moves an account to another tier', async ({ server, alice, atWindow: { client } }) => {
    const { person } = await client.people.update({ id: alice.id, tier_name: 'Pro' })

    expect(person.tier_name).toBe('Pro')
    expect((await server.as(alice).storage.stats({})).stats.tier_name).toBe('Pro')
  })

  test('enabling it again lets it sign in; its old sessions stay dead', async ({
    server,
    alice,
    atWindow: { client },
    signedIn: { browser },
  }) => {
    await client.people.update({ id: alice.id, disabled: true })

    const { person } = await client.people.update({ id: alice.id, disabled: false })

    expect(person.disabled).toBe(false)
    expect((await browser.fetch('/api/auth/me')).status).toBe(401)
    await server.signedIn(alice)
  })

  test('the host cannot disable their own account', async ({ server, atWindow: { browser } }) => {
    const reply = await replyOf(
      browser.fetch(`/api/host/people/${server.user('host').id}`, json('PUT', { disabled: true })),
    )

    expect(reply).toEqual(problem('invalid_input', 'disabled'))
  })
})

describe('people.resetPassword', () => {
  test('gives a password that signs in, and ends the sessions that were', async ({
    server,
    alice,
    atWindow: { client },
    signedIn: { browser },
  }) => {
    const { password, person } = await client.people.resetPassword({ id: alice.id })

    expect(person.username).toBe('alice')
    expect(password).toMatch(/^[\w-]{16}$/)
    expect((await browser.fetch('/api/auth/me')).status).toBe(401)
    await server.visitor().accounts.login({ username: 'alice', password })
  })
})

describe('people.createPasswordLink, accounts.lookPasswordLink, accounts.usePasswordLink', () => {
  test('sets a new password once within an hour, and ends the sessions that were', async ({
    server,
    clock,
    alice,
    atWindow: { client },
    signedIn: { browser },
  }) => {
    const create = async () => {
      const { url } = await client.people.createPasswordLink({ id: alice.id })
      return /^http:.+\/new-password\?link=([\w-]{22})$/.exec(url)?.[1] ?? ''
    }
    const visitor = server.visitor()
    const use = (link: string) =>
      visitor.accounts.usePasswordLink({ link, new_password: 'a new one' })
    const refused = { status: 403, code: 'password_link_invalid' }

    const [replaced, link] = [await create(), await create()]
    await expect(use(replaced)).rejects.toMatchObject(refused)
    expect(await visitor.accounts.lookPasswordLink({ link })).toMatchObject({ username: 'alice' })
    expect((await browser.fetch('/api/auth/me')).status).toBe(200)

    const twice = await Promise.allSettled([use(link), use(link)])
    expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect((await browser.fetch('/api/auth/me')).status).toBe(401)
    await visitor.accounts.login({ username: 'alice', password: 'a new one' })

    const late = await create()
    clock.advance(HOUR)
    await expect(visitor.accounts.lookPasswordLink({ link: late })).rejects.toMatchObject(refused)
    const disabled = await create()
    await client.people.update({ id: alice.id, disabled: true })
    await expect(use(disabled)).rejects.toMatchObject(refused)
    const { events } = await client.audit.list({})
    expect(events.map(({ kind }) => kind)).toContain('password_link_create')
  })
})

describe('people.unlink', () => {
  test('unlinks the provider account of a person, and ends their sessions', async ({
    server,
    alice,
    atWindow: { client },
  }) => {
    server.clock.setClock(Date.now() - server.clock.now().getTime())
    const { named, provider } = await withProvider(server)
    const person = await named.signedIn(alice)
    await linkBy(provider, person)
    const linkOf = async () => (await client.people.list({})).people.map((it) => it.has_identity)
    expect(await linkOf()).toContain(true)

    await client.people.unlink({ id: alice.id })
    expect(await linkOf()).not.toContain(true)
    expect((await person.browser.fetch('/api/auth/me')).status).toBe(401)
    await expect(signInBy(provider, aStranger(named))).rejects.toMatchObject(refusal('not_linked'))
  })
})

test('a new password, a disabled account and removed factors end sessions in one commit', async ({
  server,
  alice,
  atWindow: { client },
}) => {
  const { library, users } = server.inside
  const { token: link } = await users.createPasswordLink(alice.id)
  for (const change of [
    () => server.visitor().accounts.usePasswordLink({ link, new_password: PASSWORD }),
    () => client.people.removeFactors({ id: alice.id }),
    () => client.people.update({ id: alice.id, disabled: true }),
  ]) {
    const { browser } = await server.signedIn(alice)
    let commits = 0
    library.onCommitted = () => void commits++
    await change()
    expect(commits).toBe(1)
    expect((await browser.fetch('/api/auth/me')).status).toBe(401)
  }
})

describe('people.setRegistration', () => {
  test('closes and opens registration', async ({ server, atWindow: { client } }) => {
    expect(await client.people.setRegistration({ open: false })).toEqual({
      registration_open: false,
    })
    expect(server.inside.settings.get().registration_open).toBe(false)
    expect(await client.people.setRegistration({ open: true })).toEqual({ registration_open: true })
  })
})
