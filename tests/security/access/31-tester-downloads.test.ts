import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { describe, expect } from 'vitest'
import { aFile } from '../../support/world/factories'
import { opened } from '../../support/network/http-get'
import { crowd } from '../../support/refusals/refusals'
import { DAY } from '../../support/world/test-clock'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { basic, PASSWORD } from '../../support/network/link-password'
import { aPrivateBeta, type PrivateBeta } from '../support/private-beta'
import type { UserRecord } from '../../../server/data/records/account-records'

const BETA = '/releases/2.0-beta/beta.apk'

describe('a running download through a link', () => {
  /** Too large for the buffers of the system. */
  const bytes = randomBytes(30_000_000)
  const ends: [string, (world: PrivateBeta & Made) => Promise<unknown>][] = [
    ['is revoked', ({ owner, made }) => owner.testers.revoke(made)],
    ['expires', ({ server }) => Promise.resolve(server.clock.advance(31 * DAY))],
    ['gets a password', ({ owner, made }) => owner.testers.update({ ...made, password: PASSWORD })],
    [
      'moves to another channel',
      ({ owner, made }) => owner.testers.update({ ...made, channel: 'canary' }),
    ],
    ['loses its project', ({ owner, id }) => owner.projects.remove({ id })],
  ]
  interface Made {
    made: { id: string; testerId: string }
  }

  test('ends when the link does, for public files too; others stay', async ({ server }) => {
    const world = await aPrivateBeta(server)
    const paths = await bigFiles(server, world.alice, world.id, bytes)
    for (const [what, end] of ends) {
      const made = await world.link(world.id)
      const [hidden, shown, beside] = await Promise.all([
        opened(server, made.path + paths.hidden),
        opened(server, made.path + paths.shown),
        opened(server, `/api/files/${paths.file_id}/download`),
      ])
      await expect.poll(() => server.inside.transfers.count).toBe(3)
      await end({ ...world, made })
      await expect.poll(() => server.inside.transfers.count).toBe(1)
      const whole = {
        hidden: await isWhole(hidden),
        shown: await isWhole(shown),
        beside: await isWhole(beside),
      }
      expect(whole, what).toEqual({ hidden: false, shown: false, beside: true })
    }
  })

  const secured = test.extend({ settings: { https: 'local' } })
  const clients: [string, (to: { port: number; host: string }) => Socket][] = [
    ['HTTP', connect],
    ['HTTPS', (to) => connectSecurely({ ...to, rejectUnauthorized: false })],
  ]
  secured.for(clients)(
    'over %s is reset, so that nothing that the system holds arrives',
    async ([, open], { server }) => {
      const beta = await aPrivateBeta(server)
      const made = await beta.link(beta.id)
      const paths = await bigFiles(server, beta.alice, beta.id, bytes)
      const client = open({ port: server.port, host: '127.0.0.1' })
      const failures: Error[] = []
      const closed = new Promise((resolve) =>
        client.on('error', (error) => failures.push(error)).once('close', resolve),
      )
      client.write(
        `GET ${made.path}${paths.hidden} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`,
      )
      await expect.poll(() => server.inside.transfers.count).toBe(1)

      await beta.owner.testers.revoke(made)
      client.resume()
      await closed
      expect(failures).toMatchObject([{ code: 'ECONNRESET' }])
    },
  )

  async function bigFiles(
    server: TestServer,
    alice: UserRecord,
    project_id: string,
    bytes: Buffer<ArrayBuffer>,
  ) {
    const offer = (filename: string, is_public: boolean) =>
      aFile(server, alice, { filename, bytes, project_id, version: '2.1-beta', is_public })
    await offer('hidden.bin', false)
    const { file_id } = await offer('shown.bin', true)
    const release = '/releases/2.1-beta'
    return { hidden: `${release}/hidden.bin`, shown: `${release}/shown.bin`, file_id }
  }

  async function isWhole(response: AsyncIterable<unknown>): Promise<boolean> {
    try {
      for await (const _ of response);
      return true
    } catch {
      return false
    }
  }
})

describe('guessing', () => {
  const limited = test.extend({
    config: { rateLimits: true },
    settings: { failed_sign_ins_per_account: 3, failed_sign_ins_per_address: 6 },
  })

  limited(
    'the password of a link is slowed down, with HTTP Basic and the form together',
    async ({ server }) => {
      const { id, link } = await aPrivateBeta(server)
      const [one, other] = [
        await link(id, { password: PASSWORD }),
        await link(id, { password: PASSWORD }),
      ]
      const ask = async (path: string, password: string) =>
        (await server.fetch(path + BETA, { headers: basic(password) })).status
      expect([await ask(one.path, 'a'), await ask(one.path, 'b')]).toEqual([401, 401])
      const form = {
        method: 'POST',
        body: new URLSearchParams({ password: 'c' }),
        redirect: 'manual',
      } as const
      await server.fetch(`${one.path}/unlock`, form)

      expect([await ask(one.path, PASSWORD), await ask(other.path, PASSWORD)]).toEqual([429, 200])
      expect((await server.fetch(`${one.path}/unlock`, form)).headers.get('location')).toBe(
        `${one.path}?problem=too_many_requests`,
      )
    },
  )

  limited('a program that has proved the password needs no slow hash again', async ({ server }) => {
    const { id, link } = await aPrivateBeta(server)
    const { path } = await link(id, { password: PASSWORD })
    const ask = async () => (await server.fetch(path + BETA, { headers: basic() })).status
    expect(await ask()).toBe(200)
    // No other password can be checked now.
    const end = crowd(server, 66, (person) => `network ${person}`)

    expect(await Promise.all([ask(), ask(), ask()]).finally(end)).toEqual([200, 200, 200])
  })
})
