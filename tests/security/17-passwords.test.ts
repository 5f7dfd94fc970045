import { setTimeout as pause } from 'node:timers/promises'
import { expect, test as plain } from 'vitest'
import { PASSWORD } from '../support/password'
import { json } from '../support/reply'
import { test } from '../support/test-server'
import { aHost } from './support/a-host'
import { mostAtOnce } from '../support/scrypt-jobs'

const LOGINS = 50
/** What the promise says, for a machine that has nothing else to do. */
const P95_MS = 200

const login = (password: string) => json('POST', { username: 'alice', password })

test('a password is kept as scrypt with N = 2^17, r = 8, p = 1, 16 bytes of salt, in PHC form', async ({ server }) => {
  const account = { username: 'alice', email: 'alice@example.com', password: PASSWORD }
  await server.fetch('/api/auth/register', json('POST', account))

  const phc = server.context.users.byName('alice')?.passwordHash ?? ''

  const [, kind, cost, salt = '', hash = ''] = phc.split('$')
  expect([kind, cost]).toEqual(['scrypt', 'ln=17,r=8,p=1'])
  expect([Buffer.from(salt, 'base64').length, Buffer.from(hash, 'base64').length]).toEqual([16, 32])
})

test(`of ${LOGINS} sign-ins at once, two are hashed at a time`, async ({ server }) => {
  const account = { username: 'alice', email: 'alice@example.com', password: PASSWORD }
  await server.fetch('/api/auth/register', json('POST', account))
  const most = mostAtOnce()

  const replies = await Promise.all(
    Array.from({ length: LOGINS }, (_, n) => server.fetch('/api/auth/login', login(n === 0 ? PASSWORD : 'wrong'))),
  )

  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(LOGINS - 1).fill(401)])
  expect(most()).toBe(2)
})

plain(`${LOGINS} sign-ins at once do not keep readers waiting`, { retry: 2 }, async () => {
  const { host } = await aHost()
  const read = async () => {
    const started = performance.now()
    await (await fetch(`${host.url}/api/projects`)).arrayBuffer()
    return performance.now() - started
  }
  const idle = await p95While(read, pause(1500))

  const signingIn = Promise.all(
    Array.from({ length: LOGINS }, () => fetch(`${host.url}/api/auth/login`, login('wrong'))),
  )
  const busy = await p95While(read, signingIn)

  expect((await signingIn).map(({ status }) => status)).toEqual(Array(LOGINS).fill(401))
  console.log(`17: p95 of GET ${idle.toFixed(1)} ms idle, ${busy.toFixed(1)} ms during ${LOGINS} sign-ins`)
  // A machine on which reading takes long without any sign-in is given as much more.
  expect(busy).toBeLessThan(P95_MS + 10 * idle)
})

/** The 95th percentile of how many ms a read takes, until something has ended. */
async function p95While(read: () => Promise<number>, until: Promise<unknown>): Promise<number> {
  const took: number[] = []
  const over = new AbortController()
  void until.finally(() => over.abort())
  while (!over.signal.aborted) {
    took.push(await read())
    await pause(10)
  }
  took.sort((a, b) => a - b)
  return took[Math.ceil(took.length * 0.95) - 1] ?? NaN
}
