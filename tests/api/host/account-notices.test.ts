import { describe, expect } from 'vitest'
import { addCodes, codeOf, ticketOf } from '../../support/factors'
import { aMailServer } from '../../support/mail/mail-server'
import { createClient } from '../../support/network/client'
import { NO_MAIL_SERVER } from '../../support/mail/a-subscriber'
import { Browser } from '../../support/system/browser'
import { test } from '../../support/world/http'
import { PASSWORD } from '../../support/world/password'
import { MINUTE } from '../../support/world/test-clock'
import type { TestServer } from '../../support/world/test-server'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** A host that sends mail, and what was sent. */
async function withMail({ inside }: TestServer) {
  const { got, settings } = await aMailServer()
  await inside.settings.update(settings)
  const arrived = async (count: number) => {
    await expect.poll(() => got.length).toBe(count)
    await inside.notices.idle()
    return got.at(-1)!
  }
  return { got, arrived }
}

describe('mails about changes of an account', () => {
  test('a new password is told by mail: when, from where, and what to do', async ({
    server,
    alice,
  }) => {
    const { arrived } = await withMail(server)
    const browser = new Browser(server.url, { 'user-agent': FIREFOX })
    const { accounts } = createClient(server.url, { fetch: browser.fetch })
    await accounts.login({ username: alice.username, password: PASSWORD })
    const change = async (from: string, to: string) =>
      accounts.changePassword({ current_password: from, new_password: to })

    await change(PASSWORD, 'a second password')
    const mail = await arrived(1)
    expect(mail.to).toBe(alice.email)
    expect(mail.headers.get('subject')).toBe('Your password was changed')
    const when = server.clock.now().toISOString().slice(0, 16).replace('T', ' ')
    expect(mail.text).toContain(`When: ${when} UTC\nFrom: 127.0.0.1, Firefox on Linux\n`)
    expect(mail.text).toContain('If this was not you')
    expect(mail.text).not.toContain('second password')

    // Not a flood.
    await change('a second password', 'a third password')
    server.clock.advance(11 * MINUTE)
    await change('a third password', PASSWORD)
    await arrived(2)
  })

  test('a new email address is told at the old one', async ({
    server,
    alice,
    signedIn: { client },
  }) => {
    const { got, arrived } = await withMail(server)
    await client.accounts.update({ username: 'alice-2' })
    await client.accounts.update({ email: 'new@example.org', current_password: PASSWORD })

    const mail = await arrived(1)
    expect(mail.to).toBe(alice.email)
    expect(mail.headers.get('subject')).toBe('Your email address was changed')
    expect(got).toHaveLength(1)
  })

  test('changed factors, and recovery codes that are used or replaced, are told by mail', async ({
    server,
    signedIn: { client },
  }) => {
    const { got, arrived } = await withMail(server)
    const { recoveryCodes, secret } = await addCodes(server, client)
    await arrived(1)

    const signIn = async (code: string) =>
      server.visitor().factors.signInByCode({ sign_in_ticket: await ticketOf(server), code })
    await signIn(codeOf(server, secret))
    await signIn(recoveryCodes[0] ?? '')
    expect((await arrived(2)).text).toContain('9 recovery codes are left')
    server.clock.advance(MINUTE)
    await client.factors.renewRecoveryCodes({})
    await arrived(3)
    await client.factors.removeCodes({})
    await arrived(4)
    expect(got.map(({ headers }) => headers.get('subject'))).toEqual([
      'A second factor was added to your account',
      'A recovery code of your account was used',
      'The recovery codes of your account were replaced',
      'A second factor was removed from your account',
    ])
  })

  test('what the host account has done is told without its network', async ({
    server,
    alice,
    atWindow,
  }) => {
    const { arrived } = await withMail(server)
    await atWindow.client.people.resetPassword({ id: alice.id })

    const { text } = await arrived(1)
    expect(text).toContain('From: the person who runs this host\n')
    expect(text).not.toContain('127.0.0.1,')
  })

  test('a host without mail, or whose mail server is down, changes accounts as before', async ({
    server,
    alice,
    bob,
    signedIn,
  }) => {
    const queue = server.inside.library.collection('notices')
    await signedIn.client.accounts.changePassword({
      ...{ current_password: PASSWORD, new_password: 'a second password' },
    })
    expect(queue.size).toBe(0)

    await server.inside.settings.update(NO_MAIL_SERVER)
    const second = await server.signedIn(bob)
    await second.client.accounts.changePassword({
      ...{ current_password: PASSWORD, new_password: 'a second password' },
    })
    expect([...queue.values()].map(({ news }) => news)).toMatchObject([
      { kind: 'account', userId: bob.id, to: bob.email },
    ])
    // A deleted account gets nothing of the changes that delete it.
    await signedIn.client.accounts.remove({ current_password: 'a second password' })
    expect(
      [...queue.values()].some(({ news }) => 'userId' in news && news.userId === alice.id),
    ).toBe(false)
  })

  test('a mail that the server refuses is counted where the host account looks', async ({
    server,
    atWindow,
    signedIn: { client },
  }) => {
    const { settings } = await aMailServer({ refuse: () => 550 })
    await server.inside.settings.update(settings)
    await client.accounts.changePassword({
      ...{ current_password: PASSWORD, new_password: 'a second password' },
    })

    const dropped = async () => (await atWindow.client.settings.show({})).settings.mails_dropped
    await expect.poll(dropped).toBe(1)
  })
})
