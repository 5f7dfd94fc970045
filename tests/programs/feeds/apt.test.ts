import { beforeAll, describe, expect } from 'vitest'
import { updaterCard } from '../../../server/contract/update-clients/update-clients'
import { named, noRoot } from '../../support/system/rounds'
import { anAptComputer } from '../../support/install/apt-computer'
import { aDebianPackage } from '../../support/packages/for-managers'
import { needTools } from '../../support/system/debian'
import { aRocket } from '../../support/world/factories'
import { aLockedLink } from '../../support/install/locked-link'
import { aChangingRelay, type Change, inOneByte } from '../../support/install/changing-relay'
import { test as https } from '../../support/network/https'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

async function aProjectForApt(server: TestServer) {
  const rocket = await aRocket(server)
  const publish = async (version: string, is_public = true) =>
    rocket.publish(`rocket_${version}_all.deb`, {
      bytes: await aDebianPackage('rocket', version),
      is_public,
    })
  return { ...rocket, publish }
}
/** The lines of the page. */
const linesOf = (address: string, channel: string) =>
  updaterCard('apt', { address, slug: 'rocket', channel, names: ['rocket'], fingerprint: null })
    ?.lines?.apt ?? ''

describe.skipIf(noRoot)('feeds.repository, for apt', () => {
  beforeAll(() => needTools('wget'), 180_000)

  test(
    named('apt installs and upgrades by the lines of the page, and sees what was withdrawn'),
    async ({ server }) => {
      const { id, owner, publish } = await aProjectForApt(server)
      const computer = await anAptComputer()
      await publish('1.0.0')
      await computer.enter(linesOf(`${server.url}/p/rocket`, 'stable'))
      expect(await computer.installed()).toBe('1.0.0')
      const pages = await Promise.all(
        ['', '/releases/1.0.0'].map((path) => server.fetch(`/p/rocket${path}`)),
      )
      expect(await pages[0]?.text()).toContain('sudo apt install rocket')
      expect(await pages[1]?.text()).toContain('minisign -Vm MANIFEST')

      const file = await publish('1.1.0+5')
      expect(await computer.enter('sudo apt update')).toContain('Get:')
      // A download was counted, and nothing else has changed.
      await computer.enter('sudo apt upgrade')
      expect(await computer.installed()).toBe('1.1.0+5')
      expect(await computer.enter('sudo apt update')).toMatch(/^Hit:1 (?!.*Get:)/s)

      await owner.releases.withdraw({ id, version: '1.1.0+5' })
      await computer.enter('sudo apt update')
      expect(await computer.enter('apt-cache madison rocket')).toMatch(
        /^ *rocket \| *1\.0\.0 \|[^\n]*\n$/,
      )
      expect(
        (await server.fetch(`/p/rocket/feeds/apt/pool/1.1.0%2B5/${file.filename}`)).status,
      ).toBe(404)
    },
  )

  test(
    named('apt follows a tester link with a password to its channel until the link ends'),
    async ({ server }) => {
      const { id, owner, publish } = await aProjectForApt(server)
      const computer = await anAptComputer()
      await publish('1.0.0', false)
      await publish('1.2.0~beta1', false)
      await owner.releases.promote({ id, version: '1.2.0~beta1', channel: 'beta' })
      const { base, testerId } = await aLockedLink(server, owner, id)
      await computer.enter(linesOf(server.url + base, 'beta'))
      expect(await computer.installed()).toBe('1.2.0~beta1')
      expect(
        (await server.fetch('/p/rocket/feeds/apt/dists/beta/main/binary-amd64/Packages')).status,
      ).toBe(404)

      const pool = `${base}/feeds/apt/pool/1.0.0/rocket_1.0.0_all.deb`
      expect((await server.fetch(pool)).status).toBe(200)
      await owner.testers.revoke({ id, testerId })
      await expect(computer.enter('sudo apt update')).rejects.toThrow(
        'no longer has a Release file',
      )
      expect((await server.fetch(pool)).status).toBe(404)
    },
  )

  test(
    named('apt refuses an index, a list or a package that was changed on the way'),
    async ({ server }) => {
      const { publish } = await aProjectForApt(server)
      await publish('1.0.0')
      let change: Change | undefined
      const relay = await aChangingRelay(server, () => change)
      const computer = await anAptComputer()
      const [add = ''] = linesOf(`${relay}/p/rocket`, 'stable').split('\n')
      await computer.enter(add)
      await computer.point(server.url, relay)

      change = {
        path: /InRelease$/,
        change: (bytes) =>
          Buffer.from(String(bytes).replace('Components: main', 'Components: evil')),
      }
      await expect(computer.enter('sudo apt update')).rejects.toThrow(/BADSIG|invalid/)
      change = { path: /binary-amd64/, change: inOneByte }
      await expect(computer.enter('sudo apt update')).rejects.toThrow('Hash Sum mismatch')
      change = { path: /\.deb$/, change: inOneByte }
      await computer.enter('sudo apt update')
      await expect(computer.enter('sudo apt install rocket')).rejects.toThrow('Hash Sum mismatch')
      change = undefined
      await computer.enter('sudo apt install rocket')
      expect(await computer.installed()).toBe('1.0.0')
    },
  )
})

const testWithHttps = https.extend({ settings: async ({}, use) => use({ https: 'local' }) })

testWithHttps.skipIf(noRoot)(
  named(
    'apt and wget take a project over HTTPS once the computer trusts the certificate of the host',
  ),
  async ({ server }) => {
    await needTools('wget')
    const { publish } = await aProjectForApt(server)
    await publish('1.0.0')
    const address = `https://127.0.0.1:${server.port}/p/rocket`
    const lines = linesOf(address, 'stable')
    const computer = await anAptComputer()
    await expect(computer.enter(lines)).rejects.toThrow('certificate')
    await computer.trust(await (await server.fetch('/ca.crt')).text())
    await computer.enter(lines)
    expect(await computer.installed()).toBe('1.0.0')
  },
)
