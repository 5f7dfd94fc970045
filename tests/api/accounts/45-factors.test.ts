import { describe, expect } from 'vitest'
import { ApiError } from '../../../renderer/lib/client/api-client'
import {
  aBrowser,
  addCodes,
  addPasskey,
  codeOf,
  ticketOf,
  withPasskeys,
} from '../../support/factors'
import { refusal } from '../../support/network/reply'
import { Authenticator } from '../../support/authenticator'
import { Browser } from '../../support/system/browser'
import { createClient } from '../../support/network/client'
import { aProject, aUser } from '../../support/world/factories'
import { test } from '../../support/world/http'
import { PASSWORD } from '../../support/world/password'
import { DAY, MINUTE } from '../../support/world/test-clock'

describe('factors.beginCodes, factors.addCodes, factors.signInByCode, factors.removeCodes', () => {
  test('45: the password alone signs in no longer; with a code it does, once', async ({
    server,
    signedIn: { client },
  }) => {
    const begun = await client.factors.beginCodes({})
    expect(begun.url).toContain(`secret=${begun.secret}`)
    await expect(
      client.factors.addCodes({ setup: begun.setup, code: '000000' }),
    ).rejects.toMatchObject(refusal('bad_credentials', 'code'))

    const { secret, recoveryCodes } = await addCodes(server, client)
    expect(recoveryCodes).toHaveLength(10)
    await expect(client.factors.beginCodes({})).rejects.toMatchObject(refusal('taken'))

    const code = codeOf(server, secret)
    const sign_in_ticket = await ticketOf(server)
    await expect(
      aBrowser(server).factors.signInByCode({ sign_in_ticket, code: codeOf(server, secret, 9) }),
    ).rejects.toMatchObject(refusal('bad_credentials', 'code'))
    const signedIn = aBrowser(server)
    await signedIn.factors.signInByCode({ sign_in_ticket, code })
    expect((await signedIn.accounts.sessions({})).sessions[0]).toMatchObject({ proved_by: 'code' })

    // Nor does an older code that is still in time, or the same after a restart.
    const again = { sign_in_ticket: await ticketOf(server), code }
    const older = { ...again, code: codeOf(server, secret, -1) }
    for (const input of [again, older])
      await expect(server.visitor().factors.signInByCode(input)).rejects.toMatchObject(
        refusal('bad_credentials', 'code'),
      )
    await server.close()
    const restarted = await server.restart()
    await expect(restarted.visitor().factors.signInByCode(again)).rejects.toMatchObject(
      refusal('bad_credentials', 'code'),
    )

    const later = createClient(restarted.url, { fetch: new Browser(restarted.url).fetch })
    server.clock.advance(MINUTE)
    await later.factors.signInByCode({ ...again, code: codeOf(server, secret) })
    await later.factors.removeCodes({})
    await restarted.signedIn(restarted.user('alice'))
  })

  test('45: only one of two that say a code at once signs in', async ({
    server,
    signedIn: { client },
  }) => {
    const { secret } = await addCodes(server, client)
    const input = { sign_in_ticket: await ticketOf(server), code: codeOf(server, secret) }

    const both = await Promise.allSettled(
      [1, 2].map(() => aBrowser(server).factors.signInByCode(input)),
    )

    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('45: a ticket ends with its time, and with a new password', async ({
    server,
    alice,
    signedIn: { client },
  }) => {
    const { secret } = await addCodes(server, client)
    const sign_in_ticket = await ticketOf(server)
    const signIn = () =>
      server.visitor().factors.signInByCode({ sign_in_ticket, code: codeOf(server, secret) })

    server.clock.advance(11 * MINUTE)
    await expect(signIn()).rejects.toMatchObject(refusal('sign_in_expired'))
    server.clock.advance(-11 * MINUTE)
    await server.inside.users.setPassword(alice.id, `${alice.passwordHash.slice(0, -3)}abc`)
    await expect(signIn()).rejects.toMatchObject(refusal('sign_in_expired'))
  })
})

describe('factors.show, factors.renewRecoveryCodes', () => {
  test('45: a recovery code signs in once, in any spelling, until it is replaced', async ({
    server,
    signedIn: { client },
  }) => {
    const { recoveryCodes } = await addCodes(server, client)
    const [first = '', second = ''] = recoveryCodes
    const say = async (code: string) =>
      aBrowser(server).factors.signInByCode({ sign_in_ticket: await ticketOf(server), code })

    expect(await say(first.toUpperCase().replaceAll('-', ' '))).toMatchObject({
      recovery_codes_left: 9,
    })
    await expect(say(first)).rejects.toMatchObject(refusal('bad_credentials', 'code'))
    expect((await client.factors.show({})).factors).toMatchObject({ recovery_codes_left: 9 })

    const { recovery_codes: renewed } = await client.factors.renewRecoveryCodes({})
    await expect(say(second)).rejects.toMatchObject(refusal('bad_credentials', 'code'))
    await say(renewed[0] ?? '')
  })
})

describe('factors.passkeyOptions, factors.signInByPasskey, factors.newPasskeyOptions, factors.addPasskey', () => {
  test('45: a passkey signs in alone, and as a second factor', async ({ server, alice }) => {
    const named = await withPasskeys(server)
    const person = await named.signedIn(alice)
    const key = await addPasskey(person, named.url)
    const { factors } = await person.client.factors.show({})
    expect(factors).toMatchObject({
      passkeys: [{ name: 'Laptop', host: 'localhost', last_used_at: null }],
      passkey_origins: [named.url],
      recovery_codes_left: 10,
    })

    const alone = aBrowser(named)
    const { options } = await alone.factors.passkeyOptions({})
    expect(options).toMatchObject({ rpId: 'localhost', allowCredentials: [] })
    await alone.factors.signInByPasskey({ response: key.get(options) })
    expect((await alone.accounts.sessions({})).sessions[0]).toMatchObject({ proved_by: 'passkey' })

    const second = aBrowser(named)
    const asked = await second.factors.passkeyOptions({ sign_in_ticket: await ticketOf(named) })
    expect(asked.options).toMatchObject({
      allowCredentials: [{ id: key.id.toString('base64url') }],
      userVerification: 'required',
    })
    await second.factors.signInByPasskey({ response: key.get(asked.options) })
  })

  test('45: refuses what no page of this host got from this person', async ({ server, alice }) => {
    const named = await withPasskeys(server)
    const bob = await aUser(server, 'bob')
    const key = await addPasskey(await named.signedIn(alice), named.url)
    await addPasskey(await named.signedIn(bob), named.url)
    const visitor = named.visitor()
    const ask = async () => (await visitor.factors.passkeyOptions({})).options
    const refused = async (response: Record<string, unknown>) =>
      expect
        .soft(visitor.factors.signInByPasskey({ response }))
        .rejects.toMatchObject(refusal('bad_credentials'))

    // Replay, and a counter that goes back: a copied key.
    const answered = key.get(await ask(), { counter: 7 })
    await visitor.factors.signInByPasskey({ response: answered })
    await refused(answered)
    await refused(key.get(await ask(), { counter: 7 }))
    await refused(key.get(await ask(), { counter: 3 }))

    // Another page, another host, nobody verified, another account, an old or made-up challenge.
    await refused(key.get(await ask(), { origin: 'https://evil.example', counter: 20 }))
    await refused(key.get(await ask(), { isVerified: false, counter: 21 }))
    const ofBob = Buffer.from(bob.id).toString('base64url')
    await refused(key.get(await ask(), { userHandle: ofBob, counter: 22 }))
    await refused(new Authenticator(named.url).get(await ask()))
    await refused(key.get({ challenge: 'bWFkZSB1cA' }, { counter: 23 }))
    const old = await ask()
    server.clock.advance(6 * MINUTE)
    await refused(key.get(old, { counter: 24 }))
    await refused({})

    await visitor.factors.signInByPasskey({ response: key.get(await ask(), { counter: 25 }) })
  })

  test('45: a new passkey must be verified, and is no one else’s', async ({ server, alice }) => {
    const named = await withPasskeys(server)
    const { client } = await named.signedIn(alice)
    const bob = await named.signedIn(await aUser(server, 'bob'))
    const key = new Authenticator(named.url)
    const add = (response: Record<string, unknown>) =>
      client.factors.addPasskey({ name: 'Key', response })
    const ask = async () => (await client.factors.newPasskeyOptions({})).options

    for (const response of [
      key.create(await ask(), { isVerified: false }),
      key.create(await ask(), { origin: 'http://localhost:1' }),
      key.create((await bob.client.factors.newPasskeyOptions({})).options),
    ])
      await expect(add(response)).rejects.toMatchObject(refusal('invalid_input', 'response'))

    await add(key.create(await ask()))
    await expect(add(key.create(await ask()))).rejects.toMatchObject(refusal('taken'))
  })

  test('45: works at the configured name alone, whatever the Host header says', async ({
    server,
    alice,
    signedIn: { client },
  }) => {
    await expect(client.factors.newPasskeyOptions({})).rejects.toMatchObject(refusal('not_found'))
    for (const public_url of ['http://builds.example', 'https://203.0.113.7']) {
      await server.inside.settings.update({ public_url })
      expect((await client.factors.show({})).factors.passkey_origins).toEqual([])
    }

    const named = await withPasskeys(server)
    const key = await addPasskey(await named.signedIn(alice), named.url)
    await expect(server.visitor().factors.passkeyOptions({})).rejects.toMatchObject(
      refusal('not_found'),
    )

    // The host got another name: the passkey stays listed, for the former one.
    await server.inside.settings.update({ public_url: 'https://new.example' })
    const [, { options }] = [key, { options: { challenge: 'bWFkZSB1cA' } }]
    await expect(
      named.visitor().factors.signInByPasskey({ response: key.get(options) }),
    ).rejects.toMatchObject(refusal('not_found'))
    const { factors } = await (await server.atWindow(alice)).client.factors.show({})
    expect(factors).toMatchObject({
      passkeys: [{ host: 'localhost' }],
      passkey_origins: ['https://new.example'],
    })
  })
})

describe('factors.renamePasskey, factors.removePasskey', () => {
  test('45: several have names, and a removed one signs in no more', async ({ server, alice }) => {
    const named = await withPasskeys(server)
    const person = await named.signedIn(alice)
    const elsewhere = await named.signedIn(alice)
    const keys = [await addPasskey(person, named.url), await addPasskey(person, named.url, 'Phone')]
    await expect(elsewhere.client.accounts.me({})).rejects.toMatchObject({ status: 401 })

    const [first, second] = (await person.client.factors.show({})).factors.passkeys
    const id = first?.passkey_id ?? ''
    const renamed = await person.client.factors.renamePasskey({ id, name: 'Old laptop' })
    expect(renamed.passkey.name).toBe('Old laptop')
    await person.client.factors.removePasskey({ id })
    expect((await person.client.factors.show({})).factors.passkeys).toEqual([second])

    const visitor = named.visitor()
    const signIn = async (key: Authenticator | undefined) => {
      const { options } = await visitor.factors.passkeyOptions({})
      return visitor.factors.signInByPasskey({ response: key?.get(options) ?? {} })
    }
    await expect(signIn(keys[0])).rejects.toMatchObject(refusal('bad_credentials'))
    await signIn(keys[1])
  })
})

describe('factors.prove', () => {
  test('45: what asks again needs a proof of the last 15 minutes', async ({
    server,
    signedIn: { client },
  }) => {
    server.clock.advance(16 * MINUTE)
    await expect(client.factors.beginCodes({})).rejects.toMatchObject(refusal('proof_needed'))
    await expect(client.factors.prove({ password: 'wrong' })).rejects.toMatchObject(
      refusal('bad_credentials', 'current_password'),
    )
    await client.factors.prove({ password: PASSWORD })
    // Without a factor nothing else asks.
    server.clock.advance(16 * MINUTE)
    await client.apiKeys.create({ name: 'CI' })
    await client.factors.prove({ password: PASSWORD })

    const { secret } = await addCodes(server, client)
    const { project_id: id } = await aProject(server, server.user('alice'))
    server.clock.advance(16 * MINUTE)
    for (const call of [
      () => client.apiKeys.create({ name: 'CI' }),
      () => client.projects.remove({ id }),
      () => client.accounts.remove({ current_password: PASSWORD }),
      () => client.accounts.update({ email: 'new@example.com', current_password: PASSWORD }),
    ])
      await expect(call()).rejects.toMatchObject(refusal('proof_needed'))
    await expect(client.factors.prove({ password: PASSWORD })).rejects.toMatchObject(
      refusal('bad_credentials', 'code'),
    )
    await client.factors.prove({ code: codeOf(server, secret) })
    await client.apiKeys.create({ name: 'CI' })
    await server.as(server.user('alice')).projects.remove({ id })
  })
})

describe('the setting second_factor', () => {
  test('45: leaves an account without one only the way to get one', async ({
    server,
    alice,
    signedIn: { client },
    atWindow,
  }) => {
    await aProject(server, alice, { is_public: true })
    const bob = await server.signedIn(await aUser(server, 'bob'))
    const ask = (second_factor: 'nobody' | 'host' | 'maintainers' | 'everybody') =>
      server.inside.settings.update({ second_factor })
    const mayWork = async (who: typeof client) =>
      who.projects.mine({}).then(
        () => true,
        (cause: unknown) => (cause as ApiError).code,
      )

    await ask('host')
    expect(await mayWork(client)).toBe(true)
    await ask('maintainers')
    expect(await mayWork(client)).toBe('factor_required')
    expect(await mayWork(bob.client)).toBe(true)
    await ask('everybody')
    expect(await mayWork(bob.client)).toBe('factor_required')
    // The person at the computer owns it. Keys work as before.
    expect(await mayWork(atWindow.client)).toBe(true)
    expect(await mayWork(server.as(alice))).toBe(true)

    // Until then the session is that of a visitor, also on public calls.
    expect(await client.accounts.check({})).toEqual({ authenticated: true })
    expect(await client.accounts.me({})).toMatchObject({ lacks_factor: true })
    expect((await client.projects.listPublic({})).projects[0]?.can).toEqual(['read'])
    await addCodes(server, client)
    expect(await mayWork(client)).toBe(true)
  })
})

describe('people.removeFactors', () => {
  test('45: lets a person in by the password again, and ends their sessions', async ({
    server,
    alice,
    signedIn: { client },
    atWindow,
  }) => {
    await addCodes(server, client)
    const { people } = await atWindow.client.people.list({})
    expect(people.map(({ has_factor }) => has_factor)).toContain(true)

    const { person } = await atWindow.client.people.removeFactors({ id: alice.id })

    expect(person.has_factor).toBe(false)
    await expect(client.accounts.me({})).rejects.toMatchObject({ status: 401 })
    await server.signedIn(alice)
  })
})

test('45: the window needs no factor: its person has the computer', async ({
  server,
  atWindow,
}) => {
  await addCodes(server, atWindow.client)

  await server.atWindow(server.user('host'))
  await expect(server.signedIn(server.user('host'))).rejects.toMatchObject(refusal('factor_needed'))
  server.clock.advance(DAY)
  await atWindow.client.factors.prove({ password: PASSWORD })
  await atWindow.client.factors.removeCodes({})
})
