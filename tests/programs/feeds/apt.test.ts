import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect } from 'vitest'
import { updaterCard } from '../../../server/contract/update-clients/update-clients'
import { named, noRoot } from '../../support/system/rounds'
import { needTools, run } from '../../support/system/debian'
import { aRocket } from '../../support/world/factories'
import { aLockedLink } from '../../support/install/locked-link'
import { aChangingRelay, type Change, inOneByte } from '../../support/install/changing-relay'
import { test as https } from '../../support/network/https'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { tempDir } from '../../support/system/temp-dir'

/** Makes a package as its creator would. */
async function aPackage(version: string): Promise<Uint8Array<ArrayBuffer>> {
  const folder = await tempDir()
  await mkdir(join(folder, 'rocket/DEBIAN'), { recursive: true })
  const control = `Package: rocket\nVersion: ${version}\nArchitecture: all\nMaintainer: Alice <a@example.com>\nDescription: Launches\n Twice a day.\n`
  await writeFile(join(folder, 'rocket/DEBIAN/control'), control)
  await run('dpkg-deb', ['--build', 'rocket', 'out.deb'], { cwd: folder })
  return new Uint8Array(await readFile(join(folder, 'out.deb')))
}

/**
 * A computer with Debian's apt, in a folder: runs lines of the page there. The clock of tests is in
 * the future.
 */
async function aComputer() {
  const dir = await tempDir()
  const root = join(dir, 'root')
  for (const name of [
    'etc/sources.list.d',
    'etc/apt.conf.d',
    'state/lists/partial',
    'cache/archives/partial',
    'log',
    'root/var/lib/dpkg/info',
    'root/var/lib/dpkg/updates',
  ])
    await mkdir(join(dir, name), { recursive: true })
  for (const name of ['status', 'available']) await writeFile(join(root, 'var/lib/dpkg', name), '')
  const config = `
Dir "${dir}"; Dir::State "${dir}/state"; Dir::State::status "${root}/var/lib/dpkg/status"; Dir::Cache "${dir}/cache";
Dir::Etc "${dir}/etc"; Dir::Etc::sourceparts "${dir}/etc/sources.list.d"; Dir::Log "${dir}/log";
Dir::Bin::methods "/usr/lib/apt/methods"; APT::Sandbox::User "root"; APT::Architecture "amd64"; DPkg::Options:: "--root=${root}";
APT::Get::Assume-Yes "true"; Acquire::Retries "0"; APT::Update::Error-Mode "any"; Acquire::Check-Date "false";`
  await writeFile(join(dir, 'apt.conf'), config)
  const env = { ...process.env, APT_CONFIG: join(dir, 'apt.conf'), WGETRC: '', LC_ALL: 'C' }
  const enter = async (lines: string) => {
    const here = lines
      .replaceAll('sudo ', '')
      .replaceAll('/etc/apt', `${dir}/etc`)
      .replaceAll(/^apt /gm, 'apt-get ')
    return (await run('sh', ['-ec', here], { env })).stdout
  }
  const installed = async () =>
    (await run('dpkg-query', ['--root', root, '-W', '-f', '${Version}', 'rocket'])).stdout
  /** Changes the address in its sources. */
  const point = async (from: string, to: string) => {
    const path = join(dir, 'etc/sources.list.d/rocket.sources')
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll(from, to))
  }
  /** As `update-ca-certificates` does for all programs. */
  const trust = async (authority: string) => {
    const path = join(dir, 'ca.crt')
    await writeFile(path, authority)
    env.WGETRC = join(dir, 'wgetrc')
    await writeFile(env.WGETRC, `ca_certificate = ${path}\n`)
    await writeFile(env.APT_CONFIG, `Acquire::https::CaInfo "${path}";`, { flag: 'a' })
  }
  return { enter, installed, point, trust }
}

async function aProjectForApt(server: TestServer) {
  const rocket = await aRocket(server)
  const publish = async (version: string, is_public = true) =>
    rocket.publish(`rocket_${version}_all.deb`, { bytes: await aPackage(version), is_public })
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
      const computer = await aComputer()
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

      await publish('1.2.0')
      await owner.releases.promote({ id, version: '1.2.0', channel: 'beta' })
      await computer.enter(linesOf(`${server.url}/p/rocket`, 'beta'))
      await owner.releases.promote({ id, version: '1.2.0', channel: 'stable' })
      expect(await computer.enter('sudo apt update && apt-cache policy rocket')).toMatch(
        /1\.2\.0.*beta\/main/s,
      )
    },
  )

  test(
    named('apt follows a tester link with a password to its channel until the link ends'),
    async ({ server }) => {
      const { id, owner, publish } = await aProjectForApt(server)
      const computer = await aComputer()
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
      const computer = await aComputer()
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
    const computer = await aComputer()
    await expect(computer.enter(lines)).rejects.toThrow('certificate')
    await computer.trust(await (await server.fetch('/ca.crt')).text())
    await computer.enter(lines)
    expect(await computer.installed()).toBe('1.0.0')
  },
)
