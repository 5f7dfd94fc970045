import { describe, expect, test } from 'vitest'
import { Passwords } from '../../../server/features/accounts/passwords'
import { PASSWORD, PASSWORD_HASH } from '../../support/world/password'
import { mostAtOnce } from '../../support/system/scrypt-jobs'

const HERE = '203.0.113.7'

test('a hash says how it was made (PHC form), and no two are alike', async () => {
  const passwords = new Passwords()
  const [one, other] = await Promise.all([
    passwords.hash('secret', HERE),
    passwords.hash('secret', HERE),
  ])

  expect(one).toMatch(/^\$scrypt\$ln=17,r=8,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(other).not.toBe(one)
})

describe('verify', () => {
  test.each([
    ['the password', PASSWORD, PASSWORD_HASH, true],
    ['another password', 'correct cow', PASSWORD_HASH, false],
    ['a password that only begins alike', `${PASSWORD} `, PASSWORD_HASH, false],
    ['an account that does not exist', PASSWORD, undefined, false],
  ])('%s', async (_case, password, phc, answer) => {
    expect(await new Passwords(4).verify(password, phc, HERE)).toBe(answer)
  })

  test('the same letters in another Unicode form are the same password', async () => {
    const passwords = new Passwords(4)
    const phc = await passwords.hash('caf\u00e9', HERE)

    expect(await passwords.verify('cafe\u0301', phc, HERE)).toBe(true)
  })

  test('a hash that is not ours is an error, not a wrong password', async () => {
    await expect(
      new Passwords().verify(PASSWORD, '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA', HERE),
    ).rejects.toThrow('PHC')
  })
})

test('at most two are hashed at a time, also when a new one comes just as one ends', async () => {
  const passwords = new Passwords()
  const most = mostAtOnce()

  await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      passwords
        .verify('a', PASSWORD_HASH, `network ${n}`)
        .then(() => passwords.verify('b', PASSWORD_HASH, `network ${n}`)),
    ),
  )

  expect(most()).toBe(2)
})

test('asks the next caller to retry later when too many wait', async () => {
  const passwords = new Passwords()
  const all = await Promise.allSettled(
    Array.from({ length: 67 }, (_, n) => passwords.verify('a', PASSWORD_HASH, `network ${n}`)),
  )

  const refused = all.filter((one) => one.status === 'rejected')
  expect(refused.map(({ reason }) => reason as unknown)).toEqual([
    expect.objectContaining({ code: 'busy', status: 503, headers: { 'Retry-After': '5' } }),
  ])
})

test('a flood from one network does not keep another waiting until it is over', async () => {
  const passwords = new Passwords(4, Infinity)
  const done: string[] = []
  const verify = async (network: string) => {
    await passwords.verify('a', PASSWORD_HASH, network)
    done.push(network)
  }
  await Promise.all([...Array.from({ length: 30 }, () => verify('flood')), verify('alice')])

  // Two are under way and one is served before; of two at a time, either may end first.
  expect(done.indexOf('alice')).toBeLessThan(6)
})
