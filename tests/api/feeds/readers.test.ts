import { describe, expect } from 'vitest'
import type { Facts } from '../../../server/contract/files/facts'
import { noFacts } from '../../../server/libraries/package-reader/look'
import { aLockedLink } from '../../support/install/locked-link'
import { aFile, anApp, aProject, aUser } from '../../support/world/factories'
import { test } from '../../support/world/http'
import { DAY } from '../../support/world/test-clock'
import type { TestServer } from '../../support/world/test-server'

/** A file for each kind of feed, in each release. */
const files: readonly [extension: string, facts?: Facts][] = [
  ['dmg'],
  ['msi'],
  ['full.nupkg'],
  ['ipa', { ...noFacts('ipa'), app_id: 'org.rocket' }],
  ['box', { ...noFacts('box'), min_os: 'libvirt' }],
  ['xpi', { ...noFacts('extension'), app_id: 'r@x.org' }],
  ['crx', { ...noFacts('extension'), app_id: 'abc' }],
  ['img', noFacts('img')],
]
/** The feeds of a channel; `*`: its name. */
const feeds = [
  'altstore/*/source.json',
  'apt/dists/*/InRelease',
  'apt/dists/*/main/binary-amd64/Packages',
  'chromium/*/updates.xml',
  'firefox/*/updates.json',
  'homebrew/*/rocket.rb',
  'homebrew/*.git/info/refs',
  'imager/*/os_list.json',
  'rpm/*/repodata/repomd.xml',
  'scoop/*/rocket.json',
  'scoop/*.git/info/refs',
  'sparkle/*/appcast.xml',
  'squirrel/*/RELEASES',
  'vagrant/*/box.json',
  'winget/*/information',
  'winget/*/manifestSearch',
  'winget/*/packageManifests/alice.rocket',
  'winget/*/rocket.yaml',
]

async function aPrivateRocket(server: TestServer) {
  const alice = await aUser(server, 'alice')
  const { project_id: id } = await aProject(server, alice)
  const owner = server.as(alice)
  for (const [version, channel] of [
    ['1.0.0', 'stable'],
    ['2.0.0', 'beta'],
    ['3.0.0', 'nightly'],
    ['4.0.0', 'draft'],
  ] as const) {
    for (const [extension, facts] of files) {
      const fields = {
        filename: `rocket-${channel}.${extension}`,
        bytes: channel,
        project_id: id,
        version,
      }
      await (facts ? anApp(server, alice, fields, facts) : aFile(server, alice, fields))
    }
    if (channel === 'draft') await owner.releases.update({ id, version, state: 'draft' })
    else if (channel !== 'stable') await owner.releases.promote({ id, version, channel })
  }
  const link = async (channel: string) => {
    const { tester, url } = await owner.testers.create({ id, name: 'Berlin', channel })
    return { testerId: tester.tester_id, base: new URL(url).pathname }
  }
  return { id, alice, owner, link }
}

describe('testers.repository, testers.searchWinget', () => {
  test('every feed has what its reader may fetch, and nothing of others', async ({ server }) => {
    const { id, alice, owner, link } = await aPrivateRocket(server)
    const { browser } = await server.signedIn(alice)
    const [beta, canary, revoked] = [await link('beta'), await link('canary'), await link('beta')]
    const locked = await aLockedLink(server, owner, id)
    await owner.testers.revoke({ id, testerId: revoked.testerId })
    const ask = async (
      base: string,
      feed: string,
      headers: Record<string, string> = {},
      by: (path: string, init?: RequestInit) => Promise<Response> = server.fetch,
    ) => {
      const address = `${base}/feeds/${feed}`
      const isSearch = feed.endsWith('manifestSearch')
      const body = {
        method: 'POST',
        body: '{}',
        headers: { ...headers, 'content-type': 'application/json' },
      }
      const reply = await by(address, isSearch ? body : { headers })
      return { status: reply.status, text: await reply.text() }
    }
    for (const pattern of feeds) {
      const at = (channel: string) => pattern.replace('*', channel)
      const told = [
        ['visitor', 404, await ask('/p/rocket', at('stable'))],
        ['member', 404, await ask('/p/rocket', at('stable'), {}, browser.fetch)],
        ['key', 404, await ask('/p/rocket', at('stable'), {}, server.fetchAs(alice))],
        ['beta', 200, await ask(beta.base, at('beta'))],
        ['stable of beta', 200, await ask(beta.base, at('stable'))],
        ['nightly of beta', 404, await ask(beta.base, at('nightly'))],
        ['canary', 200, await ask(canary.base, at('canary'))],
        ['revoked', 404, await ask(revoked.base, at('beta'))],
        ['locked', 401, await ask(locked.path, at('beta'))],
        ['with the password', 200, await ask(locked.path, at('beta'), locked.headers)],
        ['with the key of its page', 200, await ask(locked.base, at('beta'))],
        [
          'with another key',
          401,
          await ask(
            locked.base.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
            at('beta'),
          ),
        ],
      ] as const
      for (const [who, status, reply] of told) {
        expect.soft([pattern, who, reply.status]).toEqual([pattern, who, status])
        expect
          .soft([pattern, who, reply.text])
          .toEqual([pattern, who, expect.not.stringMatching(/nightly\.|draft|3\.0\.0/)])
        if (status === 200) expect.soft(reply.text).not.toContain('/p/rocket')
        else expect.soft(reply.text).not.toMatch(/Rocket|rocket-/)
        if (['canary', 'stable of beta'].includes(who))
          expect.soft(reply.text).not.toMatch(/rocket-beta|2\.0\.0/)
      }
    }
    server.clock.advance(31 * DAY)
    for (const pattern of feeds)
      expect
        .soft([pattern, (await ask(beta.base, pattern.replace('*', 'beta'))).status])
        .toEqual([pattern, 404])
  })
})

test('a visitor of a public project cannot tell its private channels from those that it does not have', async ({
  server,
}) => {
  const { id, owner } = await aPrivateRocket(server)
  await owner.projects.update({ id, is_public: true })
  for (const pattern of feeds) {
    const [hidden, missing] = await Promise.all(
      ['beta', 'canary'].map(async (channel) => {
        const reply = await server.fetch(`/p/rocket/feeds/${pattern.replace('*', channel)}`)
        return [reply.status, (await reply.text()).replaceAll(channel, '')]
      }),
    )
    expect.soft([pattern, ...hidden!]).toEqual([pattern, ...missing!])
  }
})
