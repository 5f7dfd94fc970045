import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect } from 'vitest'
import { updaterCard } from '../../../server/contract/update-clients/update-clients'
import { named, noRoot } from '../../support/system/rounds'
import { aChangingRelay, type Change, inOneByte } from '../../support/install/changing-relay'
import { aLockedLink } from '../../support/install/locked-link'
import { anRpm } from '../../support/packages/for-managers'
import { needTools, run } from '../../support/system/debian'
import { aRocket } from '../../support/world/factories'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { tempDir } from '../../support/system/temp-dir'

async function aLockedRocket(server: TestServer) {
  const { id, owner, publish: add } = await aRocket(server, false)
  const publish = async (version: string) =>
    add(`rocket-${version}.rpm`, { bytes: await anRpm('rocket', version) })
  const open = async () => (await aLockedLink(server, owner, id)).base
  return { publish, open }
}

describe.skipIf(noRoot)('feeds.repository, for dnf', () => {
  beforeAll(() => needTools('curl', 'rpmbuild', 'dnf', 'zypper'), 300_000)

  test(
    named(
      'dnf checks the signed index, installs and upgrades by the lines of a tester link with a password',
    ),
    async ({ server }) => {
      const { publish, open } = await aLockedRocket(server)
      const dir = await tempDir()
      for (const name of ['repos', 'log', 'root']) await mkdir(join(dir, name))
      const options = `-y --installroot=${dir}/root --setopt=reposdir=${dir}/repos --setopt=cachedir=${dir}/cache --setopt=logdir=${dir}/log --releasever=1`
      const enter = (lines: string) => {
        const here = lines
          .replaceAll('/etc/yum.repos.d', `${dir}/repos`)
          .replaceAll('sudo dnf', `dnf ${options}`)
        return run('sh', ['-ec', here.replaceAll('sudo ', '')])
      }
      const installed = async () =>
        (await run('rpm', ['--root', `${dir}/root`, '-q', 'rocket'])).stdout.trim()
      const client = {
        slug: 'rocket',
        channel: 'stable',
        names: ['rocket'],
        fingerprint: null,
      }

      await publish('1.0.0')
      const base = await open()
      await enter(updaterCard('rpm', { ...client, address: server.url + base })?.lines?.dnf ?? '')
      expect(await installed()).toBe('rocket-1.0.0-1.noarch')
      await publish('1.1.0+5')
      await enter('sudo dnf upgrade --refresh')
      expect(await installed()).toBe('rocket-1.1.0+5-1.noarch')

      const repo = join(dir, 'repos/rocket.repo')
      const key = await readFile(repo, 'utf8')
      // The key of another host: nothing that it signs counts here.
      await writeFile(
        join(dir, 'other.asc'),
        await (await server.fetch(`${base}/feeds/keys/slipway.pub`)).text(),
      )
      await writeFile(
        repo,
        key
          .replace(/^gpgkey=.*$/m, `gpgkey=file://${dir}/other.asc`)
          .replaceAll('rocket]', 'other]'),
      )
      expect((await enter('sudo dnf makecache')).stderr).toContain(
        'repomd.xml GPG signature verification error',
      )
    },
  )

  test(
    named(
      'zypper checks the signed index, installs and upgrades by the lines of a tester link with a password',
    ),
    async ({ server }) => {
      const { publish, open } = await aLockedRocket(server)
      const dir = await tempDir()
      const enter = (lines: string) =>
        run(
          'sh',
          [
            '-ec',
            lines.replaceAll('sudo zypper', `zypper -n --gpg-auto-import-keys --root ${dir}`),
          ],
          {
            env: { ...process.env, LC_ALL: 'C' },
          },
        )
      const installed = async () =>
        (await run('rpm', ['--root', dir, '-q', 'rocket'])).stdout.trim()
      const client = {
        slug: 'rocket',
        channel: 'stable',
        names: ['rocket'],
        fingerprint: null,
      }

      await publish('1.0.0')
      await enter(
        updaterCard('rpm', { ...client, address: server.url + (await open()) })?.lines?.zypper ??
          '',
      )
      expect(await installed()).toBe('rocket-1.0.0-1.noarch')
      await publish('1.1.0+5')
      await enter('sudo zypper refresh\nsudo zypper update')
      expect(await installed()).toBe('rocket-1.1.0+5-1.noarch')

      let change: Change | undefined = { path: /repomd\.xml$/, change: inOneByte }
      const relay = await aChangingRelay(server, () => change)
      const repo = join(
        dir,
        'etc/zypp/repos.d',
        (await readdir(join(dir, 'etc/zypp/repos.d')))[0] ?? '',
      )
      await writeFile(repo, (await readFile(repo, 'utf8')).replaceAll(server.url, relay))
      const fresh = 'sudo zypper clean --all\nsudo zypper refresh'
      await expect(enter(fresh)).rejects.toThrow('Signature verification failed')
      change = undefined
      await enter(fresh)
    },
  )
})
