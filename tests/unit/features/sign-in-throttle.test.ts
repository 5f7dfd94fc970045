import { describe, expect, test } from 'vitest'
import { SignInThrottle } from '../../../server/features/accounts/sign-in-throttle'
import { settingsSchema } from '../../../server/data/settings/settings-schema'

const limits = settingsSchema.parse({ failed_sign_ins_per_account_everywhere: 3 })

/** A throttle whose delays are listed, and end when the test says so. */
function gated() {
  const delays: number[] = []
  const ends: (() => void)[] = []
  const throttle = new SignInThrottle(limits, (ms) => {
    delays.push(ms)
    return new Promise<void>((resolve) => ends.push(resolve))
  })
  let network = 0
  /** A guess from a network that has not been here before. */
  const guess = () => throttle.attempt('alice', `2001:db8:${(++network).toString(16)}::1`)
  return { throttle, delays, guess, endAll: () => ends.splice(0).forEach((end) => end()) }
}

describe('guesses at one account from many networks', () => {
  test('wait longer and longer, up to a maximum', async () => {
    const { delays, guess, endAll } = gated()
    for (let free = 0; free < 3; free++) await guess()
    expect(delays).toEqual([])

    const waiting = Array.from({ length: 7 }, guess)
    await expect.poll(() => delays).toEqual([250, 500, 1000, 2000, 4000, 4000, 4000])
    endAll()
    await Promise.all(waiting)
  })

  test('wait for no other account', async () => {
    const { throttle, delays, guess } = gated()
    for (let free = 0; free < 3; free++) await guess()
    await throttle.attempt('bob', '203.0.113.7')

    expect(delays).toEqual([])
  })

  test('have limited waiting places; a guess without one is not counted', async () => {
    const { throttle, delays, guess, endAll } = gated()
    for (let free = 0; free < 3; free++) await guess()
    const waiting = Array.from({ length: 16 }, guess)
    await expect.poll(() => delays.length).toBe(16)
    for (let more = 0; more < 60; more++) {
      await expect(throttle.attempt('alice', '203.0.113.7')).rejects.toMatchObject({
        headers: { 'Retry-After': '4' },
      })
    }
    endAll()
    await Promise.all(waiting)

    const owner = throttle.attempt('alice', '203.0.113.7')
    await expect.poll(() => delays.length).toBe(17)
    endAll()
    await (await owner).succeeded()
  })

  test('do not delay the owner where they have signed in before', async () => {
    const { throttle, delays, guess } = gated()
    await (await throttle.attempt('Alice', '2001:db8:abcd::1')).succeeded()
    for (let free = 0; free < 3; free++) await guess()
    void guess()
    await expect.poll(() => delays.length).toBe(1)

    await throttle.attempt('alice', '2001:db8:abcd::2')
    expect(delays).toHaveLength(1)
  })
})
