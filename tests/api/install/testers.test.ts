import { describe, expect } from 'vitest'
import { anApp, aProject, aUser } from '../../support/world/factories'
import { AD_HOC_APP, buttonOf } from '../../support/install/open-page'
import { basic, PASSWORD } from '../../support/network/link-password'
import { userAgents } from '../../support/install/user-agents'
import { DAY, MINUTE } from '../../support/world/test-clock'
import { test as base } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

const test = base.extend({ config: { trustProxy: ['127.0.0.1'] } })

/**
 * A private beta for iOS with a tester link, and its install page as a tester with the password
 * sees it.
 */
async function aBeta(server: TestServer, password: string | undefined = PASSWORD) {
  const alice = await aUser(server, 'alice')
  const { project_id: id } = await aProject(server, alice)
  const fields = { filename: 'beta.ipa', bytes: 'the app', version: '2.0-beta', project_id: id }
  const { file_id } = await anApp(server, alice, fields, AD_HOC_APP)
  const owner = server.as(alice)
  const { tester, url } = await owner.testers.create({
    id,
    name: 'Beta group',
    ...(password && { password }),
  })
  const path = new URL(url).pathname
  const headers = {
    'user-agent': userAgents.iPhone,
    'x-forwarded-proto': 'https',
    ...(password && basic(password)),
  }
  const page = async () => (await server.fetch(`${path}/install`, { headers })).text()
  const manifest = new URL(decodeURIComponent(buttonOf(await page())!.split('url=')[1]!)).pathname
  const addresses = ['manifest.plist', 'icon.png', 'app.ipa'].map((name) =>
    manifest.replace('manifest.plist', name),
  )
  const statuses = () =>
    Promise.all(
      addresses.map(async (address) => {
        const response = await server.fetch(address, { redirect: 'error' })
        await response.arrayBuffer()
        return response.status
      }),
    )
  return {
    owner,
    made: { id, testerId: tester.tester_id },
    path,
    page,
    statuses,
    addresses,
    file_id,
  }
}

describe('install.manifestForTesters, install.iconForTesters, install.appForTesters', () => {
  test('install a private build without cookies or password, once the page was opened with it', async ({
    server,
  }) => {
    const { statuses, addresses, owner, made, path } = await aBeta(server)

    expect(addresses.every((address) => address.startsWith(`${path}/install/`))).toBe(true)
    expect(await statuses()).toEqual([200, 200, 200])
    const text = await (await server.fetch(addresses[0]!)).text()
    expect(text).toContain(addresses[2])
    expect(await (await server.fetch(addresses[2]!)).text()).toBe('the app')
    expect((await owner.testers.list({ id: made.id })).testers[0]).toMatchObject({ downloads: 1 })
    const locked = await server.fetch(`${path}/install`, {
      headers: { 'user-agent': userAgents.iPhone },
    })
    expect(locked.status).toBe(403)
    expect(await locked.text()).not.toContain('itms-services')
  })

  test.for([
    ['the link is revoked', ({ owner, made }) => owner.testers.revoke(made)],
    [
      'the link gets another password',
      ({ owner, made }) => owner.testers.update({ ...made, password: 'another one' }),
    ],
    [
      'the link moves to another channel',
      ({ owner, made }) => owner.testers.update({ ...made, channel: 'nightly' }),
    ],
    [
      'the build is withdrawn',
      ({ owner, made: { id } }) => owner.releases.withdraw({ id, version: '2.0-beta' }),
    ],
    ['the project is deleted', ({ owner, made: { id } }) => owner.projects.remove({ id })],
  ] as [string, (beta: Awaited<ReturnType<typeof aBeta>>) => Promise<unknown>][])(
    'end when %s',
    async ([, end], { server }) => {
      const beta = await aBeta(server)
      await end(beta)
      expect(await beta.statuses()).toEqual([404, 404, 404])
    },
  )

  test('end after 30 minutes and with the link, and work for no other link', async ({
    server,
    clock,
  }) => {
    const { statuses, addresses, path, owner, made } = await aBeta(server, undefined)
    const other = new URL((await owner.testers.create({ id: made.id, name: 'Others' })).url)
      .pathname
    expect((await server.fetch(addresses[2]!.replace(path, other))).status).toBe(404)
    clock.advance(29 * MINUTE)
    expect(await statuses()).toEqual([200, 200, 200])
    clock.advance(2 * MINUTE)
    expect(await statuses()).toEqual([404, 404, 404])
    clock.advance(31 * DAY)
    expect((await server.fetch(`${path}/install`)).status).toBe(404)
  })
})
