import { expect } from 'vitest'
import { PASSWORD } from '../../support/world/password'
import { json } from '../../support/network/reply'
import { test as base } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { withRealPasswords } from '../../support/world/place'

const test = base.extend(withRealPasswords)

const SAMPLES = 200
/** How far the medians may lie apart. */
const APART = 0.1

/** Ms until a wrong sign-in is answered. */
async function timeOf(server: TestServer, username: string): Promise<number> {
  const started = performance.now()
  const response = await server.fetch(
    '/api/auth/login',
    json('POST', { username, password: 'a wrong password' }),
  )
  await response.arrayBuffer()
  expect(response.status).toBe(401)
  return performance.now() - started
}

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN

test(
  `response times do not reveal whether an account exists: medians of ${SAMPLES} samples`,
  { timeout: 60_000 + SAMPLES * 3000 },
  async ({ server }) => {
    const passwordHash = await server.inside.passwords.hash(PASSWORD, 'tests')
    await server.inside.users.add({ username: 'alice', email: 'alice@example.com', passwordHash })
    const [known, unknown]: [number[], number[]] = [[], []]
    for (let sample = 0; sample < SAMPLES; sample++) {
      known.push(await timeOf(server, 'alice'))
      unknown.push(await timeOf(server, `nobody${sample}`))
    }

    const [ofKnown, ofUnknown] = [median(known), median(unknown)]
    console.log(
      `19: medians ${ofKnown.toFixed(1)} ms for a known account, ${ofUnknown.toFixed(1)} ms for an unknown`,
    )
    expect(Math.abs(ofKnown - ofUnknown) / Math.max(ofKnown, ofUnknown)).toBeLessThan(APART)
  },
)
