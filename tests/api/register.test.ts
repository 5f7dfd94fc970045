import { describe, expect } from 'vitest'
import { aUser } from '../support/factories'
import { json, problem, replyOf } from '../support/reply'
import { test, type TestServer } from '../support/test-server'

const valid = { username: 'alice', email: 'alice@example.com', password: 'secret' }
const fromOutside = { 'x-forwarded-for': '203.0.113.7' }

const register = (server: TestServer, fields: object = {}, headers: Record<string, string> = fromOutside) =>
  replyOf(server.fetch('/api/auth/register', json('POST', { ...valid, ...fields }, headers)))

const atFullCost = test.extend({ config: { passwordCost: undefined } })

describe('accounts.register', () => {
  test('makes an account and says so', async ({ server }) => {
    expect(await register(server)).toEqual({
      status: 201,
      body: {
        success: true,
        message: 'Registration successful! Please log in.',
        user: {
          user_id: expect.stringMatching(/^[\w-]{16}$/),
          username: 'alice',
          email: 'alice@example.com',
          tier_name: 'Free',
          is_host: false,
          created_at: '2030-01-02T03:04:05.000Z',
        },
      },
    })
  })

  atFullCost('keeps the password only as a hash at full cost', async ({ server }) => {
    await register(server)

    expect(server.context.users.byName('alice')?.passwordHash).toMatch(/^\$scrypt\$ln=17,r=8,p=1\$/)
  })

  test.for([
    ['no username', { username: undefined }, 'username'],
    ['an empty username', { username: ' ' }, 'username'],
    ['a short username', { username: 'al' }, 'username'],
    ['a long username', { username: 'a'.repeat(33) }, 'username'],
    ['a username with a space', { username: 'al ice' }, 'username'],
    ['a username that is a path', { username: '../alice' }, 'username'],
    ['no email', { email: '' }, 'email'],
    ['an email without a host', { email: 'alice' }, 'email'],
    ['an email of 300 characters', { email: `${'a'.repeat(290)}@example.com` }, 'email'],
    ['a password of 5 characters', { password: 'secre' }, 'password'],
    ['a password of 257 characters', { password: 'x'.repeat(257) }, 'password'],
    ['a password that is a number', { password: 123_456 }, 'password'],
  ] as const)('refuses %s', async ([, fields, field], { server }) => {
    expect(await register(server, fields)).toEqual(problem('invalid_input', field))
  })

  test('tells the password rule in the words of the form', async ({ server }) => {
    expect(await register(server, { password: 'secre' })).toMatchObject({
      body: { error: 'Password must be at least 6 characters' },
    })
  })

  test('refuses a username that differs only in case', async ({ server }) => {
    await aUser(server, 'Alice', { email: 'other@example.com' })

    expect(await register(server)).toEqual(problem('taken', 'username'))
  })

  test('refuses an email that differs only in case', async ({ server }) => {
    await aUser(server, 'bob', { email: 'ALICE@example.com' })

    expect(await register(server)).toEqual(problem('taken', 'email'))
  })

  test('of two at the same moment with one name, only one becomes an account', async ({ server }) => {
    const both = await Promise.all([register(server), register(server, { email: 'other@example.com' })])

    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
  })

  test('is refused once the host has closed it', async ({ server }) => {
    await server.context.settings.update({ registrationOpen: false })

    expect(await register(server)).toEqual(problem('registration_closed'))
  })

  test('goes on at the machine itself when it is closed', async ({ server }) => {
    await server.context.settings.update({ registrationOpen: false })

    expect(await register(server, {}, {})).toMatchObject({ status: 201 })
  })
})

describe('the host account', () => {
  test('is the first one registered at the machine itself', async ({ server }) => {
    expect(await register(server, {}, {})).toMatchObject({ body: { user: { is_host: true, tier_name: 'Enterprise' } } })
  })

  test('is only the first one', async ({ server }) => {
    await aUser(server, 'host', { atMachine: true })

    expect(await register(server, {}, {})).toMatchObject({ body: { user: { is_host: false, tier_name: 'Free' } } })
  })

  test('can still come after accounts from outside', async ({ server }) => {
    await aUser(server, 'early')

    expect(await register(server, {}, {})).toMatchObject({ body: { user: { is_host: true } } })
  })

  test.for(['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'via'])(
    'never comes through a proxy (%s)',
    async (header, { server }) => {
      expect(await register(server, {}, { [header]: 'somebody' })).toMatchObject({ body: { user: { is_host: false } } })
    },
  )
})
