import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect } from 'vitest'
import { minisignPublicKey } from '../../../server/libraries/minisign/minisign'
import { proofCommands } from '../../../server/texts/verify-commands'
import { named, noRoot } from '../../support/system/rounds'
import { cannotUnpack } from '../../../scripts/test/tools/unpacked'
import { needTools, run, unpacked } from '../../support/system/debian'
import { aRocket } from '../../support/world/factories'
import { test } from '../../support/world/http'
import { tempDir } from '../../support/system/temp-dir'

describe.skipIf(noRoot)('feeds.repository, proofs of a release', () => {
  beforeAll(() => needTools('curl', 'gpgv', 'minisign'), 180_000)

  test(
    named('hold for gpgv, sha256sum and minisign by the lines of the page, and not after a change'),
    async ({ server }) => {
      const { publish } = await aRocket(server)
      const release = { version: 'app/v1.1.0' }
      await publish('rocket 1.1.0.AppImage', { ...release, bytes: 'liftoff' })
      await publish('secret.AppImage', { ...release, is_public: false })
      const key = minisignPublicKey(await server.inside.releaseKeys.minisign())
      const cwd = await tempDir()
      const check = (command = '') => run('sh', ['-c', command], { cwd })
      await writeFile(join(cwd, 'rocket 1.1.0.AppImage'), 'liftoff')
      const [minisign, gpgv] = proofCommands(`${server.url}/p/rocket`, 'app/v1.1.0', key)

      expect((await check(minisign?.command)).stdout).toMatch(
        /signature verified[^]*file:MANIFEST\tproject:rocket/,
      )
      expect((await check(gpgv?.command)).stdout).toBe('rocket 1.1.0.AppImage: OK\n')
      expect(await readFile(join(cwd, 'MANIFEST'), 'utf8')).toMatch(
        /^version: app\/v1\.1\.0$[^]* {2}7 {2}rocket 1\.1\.0\.App/m,
      )
      expect(await readFile(join(cwd, 'SHA256SUMS'), 'utf8')).not.toContain('secret')
      const fingerprint = await server.inside.releaseKeys.openpgpFingerprint()
      expect(
        (await run('gpgv', ['--keyring', './slipway.gpg', 'SHA256SUMS.asc', 'SHA256SUMS'], { cwd }))
          .stderr,
      ).toContain(fingerprint)
      await writeFile(join(cwd, 'MANIFEST'), 'another')
      await writeFile(join(cwd, 'SHA256SUMS'), 'another')
      await expect(check(`minisign -Vm MANIFEST -P ${key}`)).rejects.toThrow('verification failed')
      await expect(check('gpgv --keyring ./slipway.gpg SHA256SUMS.asc SHA256SUMS')).rejects.toThrow(
        'BAD signature',
      )
    },
  )
})

/** Larger than what systemd-pull reads before it knows the compression. */
const DISK = 'disk'.repeat(1024)

describe.skipIf(cannotUnpack !== undefined)(
  'feeds.repository, the files beside their proofs',
  () => {
    beforeAll(() => unpacked('systemd-container'), 180_000)

    test(named('arrive by systemd-pull, which compares their digest'), async ({ server }) => {
      await (await aRocket(server)).publish('os.raw', { version: '1.0', bytes: DISK })
      const folder = await tempDir()
      const proofs = `${server.url}/p/rocket/feeds/proof/1.0`
      const { 'systemd-container': systemd } = await unpacked('systemd-container')
      const pull = ['raw', '--verify=checksum', `--image-root=${folder}`, `${proofs}/os.raw`, 'os']
      await run(systemd.file('lib/systemd/systemd-pull'), pull, { env: systemd.env })

      expect(await readFile(join(folder, 'os.raw'), 'utf8')).toBe(DISK)
      const signature = async (name: string) => (await fetch(`${proofs}/SHA256SUMS${name}`)).text()
      expect(await signature('.gpg'), 'the name that systemd-pull asks for').toBe(
        await signature('.asc'),
      )
    })
  },
)

describe('feeds.repository', () => {
  test('answers 404 where there is nothing, and keeps its keys to itself', async ({ server }) => {
    await aRocket(server)
    for (const path of [
      'apt/',
      'keys/secret',
      'proof/1.0.0/MANIFEST',
      'constructor/a',
      'apt/dists/stable/../InRelease',
    ])
      expect([path, (await server.fetch(`/p/rocket/feeds/${path}`)).status]).toEqual([path, 404])
    // systemd-pull may wait forever for the next file on a connection that stays open.
    const proof = await server.fetch('/p/rocket/feeds/proof/1.0.0/os.roothash')
    expect(proof.headers.get('connection')).toBe('close')
    const key = await server.fetch('/p/rocket/feeds/keys/slipway.asc')

    expect(await key.text()).toMatch(/^-----BEGIN PGP PUBLIC KEY BLOCK-----\n/)
    expect((await stat(join(server.dataDir, 'release-keys.json'))).mode & 0o777).toBe(0o600)
  })
})
