import { describe, expect } from 'vitest'
import { aUser } from '../../support/world/factories'
import { PASSWORD } from '../../support/world/password'
import { json, problem, replyOf } from '../../support/network/reply'
import { mostAtOnce } from '../../support/system/scrypt-jobs'
import { test as base } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

const signIn = (
  server: TestServer,
  username: string,
  password: string,
  headers: Record<string, string> = {},
) => server.fetch('/api/auth/login', json('POST', { username, password }, headers))

describe('whether an account exists', () => {
  base('is not told by the answer: its status, headers and body', async ({ server }) => {
    await aUser(server, 'alice')
    const told = async (username: string) => {
      const response = await signIn(server, username, 'wrong')
      const headers = [...response.headers].filter(([name]) => name !== 'date')
      return { status: response.status, headers, body: await response.text() }
    }

    expect(await told('nobody')).toEqual(await told('alice'))
    expect(await told('nobody@example.com')).toEqual(await told('alice@example.com'))
  })

  base.for(['alice', 'nobody'])(
    'is not told by its time: a hash is made for %s',
    async (username, { server }) => {
      await aUser(server, 'alice')
      const most = mostAtOnce()

      expect((await signIn(server, username, 'wrong')).status).toBe(401)

      expect(most()).toBe(1)
    },
  )
})

describe('guessing is slowed down', () => {
  const limits = { failed_sign_ins_per_account: 3, failed_sign_ins_per_address: 6 }
  const test = base.extend({ config: { rateLimits: true }, settings: limits })
  let disguises = 0
  /** All that a client can say about where it is. */
  const disguise = () => {
    const address = `203.0.113.${++disguises}`
    return {
      ...{
        'x-forwarded-for': address,
        forwarded: `for=${address}`,
        'x-real-ip': address,
        'true-client-ip': address,
      },
      ...{
        'cf-connecting-ip': address,
        'x-client-ip': address,
        via: `1.1 ${address}`,
        'user-agent': address,
      },
    }
  }
  const guesses = async (times: number, guess: () => Promise<Response>) => {
    const statuses = []
    for (let time = 0; time < times; time++) statuses.push((await guess()).status)
    return statuses
  }

  test.for(['alice', 'nobody'])(
    'for the account %s alike, for every browser that the guesser claims to be',
    async (name, { server }) => {
      await aUser(server, 'alice')

      expect(await guesses(5, () => signIn(server, name, 'wrong', disguise()))).toEqual([
        401, 401, 401, 429, 429,
      ])
      expect(await replyOf(signIn(server, name, PASSWORD, disguise()))).toEqual(
        problem('too_many_requests'),
      )
    },
  )

  test('by name and by email apart: one count would tell that both are one account', async ({
    server,
  }) => {
    await aUser(server, 'alice')

    expect(await guesses(4, () => signIn(server, 'alice', 'wrong'))).toEqual([401, 401, 401, 429])
    expect((await signIn(server, 'alice@example.com', 'wrong')).status).toBe(401)
  })

  test('for an address, over all accounts', async ({ server }) => {
    let account = 0
    const guess = () => signIn(server, `somebody${++account}`, 'wrong', disguise())

    expect(await guesses(8, guess)).toEqual([401, 401, 401, 401, 401, 401, 429, 429])
  })
})
