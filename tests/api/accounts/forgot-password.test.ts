import { describe, expect } from 'vitest'
import { aMailServer, linkIn } from '../../support/mail/mail-server'
import { aUser } from '../../support/world/factories'
import { MINUTE } from '../../support/world/test-clock'
import { test } from '../../support/world/http'

describe('accounts.forgotPassword', () => {
  test('mails a link that sets a password once, and never tells who has an account', async ({
    server,
  }) => {
    await aUser(server, 'alice')
    const ask = (username: string) => server.visitor().accounts.forgotPassword({ username })
    await expect(ask('alice')).rejects.toMatchObject({ code: 'not_supported' })
    const { got, settings } = await aMailServer()
    await server.inside.settings.update(settings)

    const replies = [await ask('nobody'), await ask('nobody@example.com'), await ask('ALICE')]
    expect(new Set(replies.map(({ message }) => message)).size).toBe(1)
    await expect.poll(() => got.length).toBe(1)
    await server.inside.notices.idle()
    const [mail] = got
    expect(mail?.to).toBe('alice@example.com')

    const { searchParams } = new URL(linkIn(mail!, '/new-password'), server.url)
    const change = { link: searchParams.get('link') ?? '', new_password: 'a new password' }
    expect(await server.visitor().accounts.usePasswordLink(change)).toMatchObject({
      username: 'alice',
    })
    await expect(server.visitor().accounts.usePasswordLink(change)).rejects.toMatchObject({
      code: 'password_link_invalid',
    })
  })

  test('mails links that all work until one is used, also where a mail arrives twice', async ({
    server,
    clock,
  }) => {
    await aUser(server, 'alice')
    const busy = Object.assign(new Error('Try later'), { responseCode: 451 })
    const { got, settings } = await aMailServer({
      after: (count) => (count === 1 ? Promise.reject(busy) : undefined),
    })
    await server.inside.settings.update(settings)
    const ask = () => server.visitor().accounts.forgotPassword({ username: 'alice' })
    const linkOf = (index: number) =>
      new URL(linkIn(got[index]!, '/new-password'), server.url).searchParams.get('link') ?? ''
    const look = (index: number) =>
      server.visitor().accounts.lookPasswordLink({ link: linkOf(index) })

    await ask()
    await expect.poll(() => got.length).toBe(1)
    await server.inside.notices.idle()
    clock.advance(MINUTE)
    server.inside.notices.look()
    await expect.poll(() => got.length).toBe(2)
    await ask()
    await expect.poll(() => got.length).toBe(3)
    for (const index of [0, 1, 2]) expect(await look(index)).toMatchObject({ username: 'alice' })

    clock.advance(59 * MINUTE)
    await expect(look(0)).rejects.toMatchObject({ code: 'password_link_invalid' })
    const change = { link: linkOf(1), new_password: 'a new password' }
    await server.visitor().accounts.usePasswordLink(change)
    for (const index of [1, 2])
      await expect(look(index)).rejects.toMatchObject({ code: 'password_link_invalid' })
  })

  test('mails nothing to a disabled account', async ({ server }) => {
    const bob = await aUser(server, 'bob')
    await aUser(server, 'alice')
    const { got, settings } = await aMailServer()
    await server.inside.settings.update(settings)
    await server.inside.users.change(bob.id, { disabled: true })
    for (const username of ['bob', 'alice'])
      await server.visitor().accounts.forgotPassword({ username })
    await expect.poll(() => got.map(({ to }) => to)).toEqual(['alice@example.com'])
  })
})
