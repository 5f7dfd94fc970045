import { describe, expect } from 'vitest'
import { aUser } from '../../support/world/factories'
import { refusal } from '../../support/network/reply'
import { test } from '../../support/world/http'
import { MINUTE } from '../../support/world/test-clock'

describe('accounts.sessions, accounts.endSession, accounts.endOtherSessions', () => {
  test('lists the sessions of the person, and ends one or all others', async ({
    server,
    clock,
    alice,
    signedIn: { client },
  }) => {
    const bob = await server.signedIn(await aUser(server, 'bob'))
    clock.advance(11 * MINUTE)
    const [second, third] = [await server.signedIn(alice), await server.signedIn(alice)]
    const { sessions } = await client.accounts.sessions({})
    expect(sessions.map(({ current }) => current)).toEqual([true, false, false])
    expect(sessions[0]).toMatchObject({
      browser: expect.any(String) as string,
      address: '127.0.0.1',
    })

    const [of] = (await second.client.accounts.sessions({})).sessions.filter((it) => it.current)
    const id = of?.session_id ?? ''
    await expect(bob.client.accounts.endSession({ id })).rejects.toMatchObject(refusal('not_found'))
    await client.accounts.endSession({ id })
    await expect(second.client.accounts.me({})).rejects.toMatchObject({ status: 401 })
    await expect(client.accounts.endSession({ id })).rejects.toMatchObject(refusal('not_found'))

    await client.accounts.endOtherSessions({})
    await expect(third.client.accounts.me({})).rejects.toMatchObject({ status: 401 })
    expect((await client.accounts.sessions({})).sessions).toMatchObject([{ current: true }])
    await bob.client.accounts.me({})
  })
})
