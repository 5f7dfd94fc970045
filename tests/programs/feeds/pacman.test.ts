import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { beforeAll, describe, expect, onTestFinished } from 'vitest'
import { updaterCard } from '../../../server/contract/update-clients/update-clients'
import { named, noRoot } from '../../support/system/rounds'
import { aTar } from '../../support/linux-package'
import { aLockedLink } from '../../support/install/locked-link'
import { needTools, run } from '../../support/system/debian'
import { aRocket } from '../../support/world/factories'
import { test } from '../../support/world/http'

/** What makepkg makes of a package without files. */
const aPackage = (version: string) =>
  new Uint8Array(
    zstdCompressSync(
      aTar(
        '.PKGINFO',
        Buffer.from(
          `pkgname = rocket\npkgver = ${version}\npkgdesc = Launches\narch = any\nlicense = MIT\nsize = 0\n`,
        ),
      ),
    ),
  )

/**
 * A computer with pacman in a folder: runs lines of the page there. Its own key, which trusts
 * others, is a quick one.
 */
async function aComputer() {
  const dir = await mkdtemp(join(tmpdir(), 'slipway-pacman-'))
  const home = join(dir, 'gnupg')
  onTestFinished(async () => {
    await run('gpgconf', ['--homedir', home, '--kill', 'all'])
    await rm(dir, { recursive: true, force: true })
  })
  for (const name of ['gnupg', 'root', 'db', 'cache']) await mkdir(join(dir, name), { mode: 0o700 })
  const conf = join(dir, 'pacman.conf')
  await writeFile(conf, '[options]\nArchitecture = x86_64\nSigLevel = Required DatabaseOptional\n')
  // As `pacman-key --init` makes it.
  await writeFile(join(home, 'pubring.gpg'), '')
  const quick = [
    '--batch',
    '--passphrase',
    '',
    '--quick-gen-key',
    'Computer',
    'ed25519',
    'sign,cert',
  ]
  await run('gpg', ['--homedir', home, ...quick])
  const options = `--root ${dir}/root --dbpath ${dir}/db --cachedir ${dir}/cache --gpgdir ${home} --config ${conf} --logfile ${dir}/log --hookdir ${dir}/hooks`
  const enter = (lines: string) => {
    const here = lines
      .replaceAll('sudo ', '')
      .replaceAll('/etc/pacman.conf', conf)
      .replaceAll('pacman-key ', `pacman-key --config ${conf} --gpgdir ${home} `)
      .replaceAll(/\bpacman -/g, `pacman ${options} -`)
      .replaceAll(' -Sy', ' --noconfirm -Sy')
    return run('sh', ['-ec', here], { env: { ...process.env, LC_ALL: 'C' } })
  }
  const installed = async () => (await enter('pacman -Q')).stdout.trim()
  return { dir, conf, enter, installed }
}

describe.skipIf(noRoot)('feeds.repository, for pacman', () => {
  beforeAll(() => needTools('curl', 'pacman', '/usr/share/makepkg/util/message.sh'), 180_000)

  test(
    named(
      'pacman installs and upgrades by the lines of a tester link with a password, and refuses another index',
    ),
    async ({ server }) => {
      const { id, owner, publish: add } = await aRocket(server, false)
      const publish = (version: string) => add('rocket.pkg.tar.zst', { bytes: aPackage(version) })
      const { dir, conf, enter, installed } = await aComputer()
      const fingerprint = await server.inside.releaseKeys.openpgpFingerprint()
      await publish('1.0.0-1')
      const { base } = await aLockedLink(server, owner, id)
      const lines =
        updaterCard('pacman', {
          ...{ address: server.url + base, slug: 'rocket', channel: 'stable' },
          ...{ names: ['rocket'], fingerprint },
        })?.lines?.pacman ?? ''
      await enter(lines)
      expect(await installed()).toBe('rocket 1.0.0-1')
      await publish('1:0.9+git~1-1')
      await enter(lines)
      expect(await installed()).toBe('rocket 1:0.9+git~1-1')
      expect((await readFile(conf, 'utf8')).match(/^\[rocket\]$/gm)).toHaveLength(1)

      const pool = `${base}/feeds/pacman/stable/x86_64/rocket-1:0.9+git~1-1-any.pkg.tar.zst`
      expect((await server.fetch(pool, { method: 'HEAD' })).status).toBe(200)
      await owner.releases.withdraw({ id, version: '0.9+git~1' })
      expect((await server.fetch(pool)).status).toBe(404)

      // Our index of another day with the signature of this one.
      const get = async (path: string) =>
        Buffer.from(
          await (await server.fetch(`${base}/feeds/pacman/stable/x86_64/${path}`)).arrayBuffer(),
        )
      await mkdir(join(dir, 'mirror'))
      await writeFile(join(dir, 'mirror/rocket.db.sig'), await get('rocket.db.sig'))
      await publish('1.1.0-1')
      await writeFile(join(dir, 'mirror/rocket.db'), await get('rocket.db'))
      await writeFile(
        conf,
        (await readFile(conf, 'utf8')).replace(/^Server = .*$/m, `Server = file://${dir}/mirror`),
      )
      await expect(enter('sudo pacman -Syyu')).rejects.toThrow(
        'invalid or corrupted database (PGP signature)',
      )
    },
  )
})
