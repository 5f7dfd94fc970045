import { describe, expect } from 'vitest'
import { refusal } from '../../support/network/reply'
import { aProject } from '../../support/world/factories'
import { test } from '../../support/world/http'
import { PASSWORD } from '../../support/world/password'

describe('accounts.update', () => {
  test('shows another username on every page and feed at once, and ends nothing', async ({
    server,
    alice,
    signedIn: { client },
  }) => {
    const { slug } = await aProject(server, alice, { is_public: true })
    const addresses = [`/p/${slug}`, `/p/${slug}/feeds/atom.xml`, '/api/projects']
    const read = async (path: string) => (await server.fetch(path)).text()
    for (const path of addresses) expect(await read(path)).toContain('alice')

    const { user } = await client.accounts.update({ username: 'Renamed' })
    expect(user).toMatchObject({ username: 'Renamed', email: 'alice@example.com' })
    for (const path of addresses) {
      expect(await read(path)).toContain('Renamed')
      expect(await read(path)).not.toContain('alice')
    }
    expect((await client.accounts.me({})).user.username).toBe('Renamed')
  })

  test('refuses a name in use, but not other capitals', async ({ bob, signedIn: { client } }) => {
    const taken = (field: string) => refusal('taken', field)
    const { username, email } = bob
    const update = client.accounts.update
    await expect(update({ username: username.toUpperCase() })).rejects.toMatchObject(
      taken('username'),
    )
    await expect(update({ email, current_password: PASSWORD })).rejects.toMatchObject(
      taken('email'),
    )
    expect((await update({ username: 'ALICE' })).user.username).toBe('ALICE')
  })

  test('asks for the password before another email address', async ({ server, signedIn }) => {
    const { client } = signedIn
    const email = 'renamed@example.com'
    const refused = refusal('bad_credentials', 'current_password')
    await expect(client.accounts.update({ email })).rejects.toMatchObject(refused)

    await client.accounts.update({ email, current_password: PASSWORD })
    const signIn = (username: string) =>
      server.visitor().accounts.login({ username, password: PASSWORD })
    expect((await signIn(email)).user.email).toBe(email)
    await expect(signIn('alice@example.com')).rejects.toMatchObject(refusal('bad_credentials'))
  })
})
