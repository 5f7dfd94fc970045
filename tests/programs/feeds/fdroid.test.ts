import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect } from 'vitest'
import { named, noRoot } from '../../support/system/rounds'
import { apiDemos } from '../../support/packages'
import { needTools, run } from '../../support/system/debian'
import { aFile, aProject, aRocket, aUser } from '../../support/world/factories'
import { test } from '../../support/world/http'
import { sha256 } from '../../support/system/sha256'
import { tempDir } from '../../support/system/temp-dir'

describe.skipIf(noRoot)('feeds.repository, for F-Droid', () => {
  beforeAll(() => needTools('apksigner', 'unzip', 'fdroidcl'), 180_000)

  test(
    named('has indexes that apksigner verifies, with the app that they name'),
    async ({ server }) => {
      const alice = await aUser(server, 'alice')
      const { project_id } = await aProject(server, alice, {
        is_public: true,
        description: 'A *rocket* & <more>',
      })
      const bytes = new Uint8Array(await readFile(apiDemos))
      const { file_id } = await aFile(server, alice, {
        project_id,
        filename: 'demos.apk',
        bytes,
        is_public: true,
      })
      const dir = await tempDir()
      const get = async (name: string) =>
        new Uint8Array(
          await (await server.fetch(`/p/rocket/feeds/fdroid/repo/${name}`)).arrayBuffer(),
        )
      const signed = async (jar: string, member: string) => {
        await writeFile(join(dir, jar), await get(jar))
        const { stdout } = await run(
          'apksigner',
          ['verify', '--min-sdk-version', '18', '--max-sdk-version', '23', '--print-certs', jar],
          {
            cwd: dir,
          },
        )
        expect(stdout.toUpperCase()).toContain(await server.inside.releaseKeys.jarFingerprint())
        return JSON.parse((await run('unzip', ['-p', jar, member], { cwd: dir })).stdout) as Record<
          string,
          never
        >
      }

      const entry = await signed('entry.jar', 'entry.json')
      const index = await get('index-v2.json')
      expect(entry).toMatchObject({
        version: 20002,
        index: { sha256: sha256(index), size: index.length, numPackages: 1 },
      })
      const { repo, packages } = JSON.parse(new TextDecoder().decode(index)) as {
        repo: unknown
        packages: Record<
          string,
          {
            metadata: { icon: Record<string, { name: string }> }
            versions: Record<string, { file: { name: string } }>
          }
        >
      }
      expect(repo).toMatchObject({
        address: `${server.url}/p/rocket/feeds/fdroid/repo`,
        name: { 'en-US': 'Rocket' },
      })
      const app = packages['io.appium.android.apis']
      const build = app?.versions[sha256(bytes)]
      expect(build).toMatchObject({
        manifest: { versionName: '5.0.0', versionCode: 25 },
        releaseChannels: [],
      })
      expect(sha256(await get(build?.file.name.slice(1) ?? ''))).toBe(sha256(bytes))
      expect(
        String(
          Buffer.from(await get(app?.metadata.icon['en-US']?.name.slice(1) ?? '')).subarray(1, 4),
        ),
      ).toBe('PNG')
      const old = await signed('index-v1.jar', 'index-v1.json')
      expect(old['packages']).toMatchObject({
        'io.appium.android.apis': [{ hash: sha256(bytes), versionCode: 25 }],
      })
      const { headers } = await server.fetch('/p/rocket/feeds/fdroid/repo/entry.jar')
      const again = { 'if-modified-since': headers.get('last-modified') ?? '' }
      expect(
        (await server.fetch('/p/rocket/feeds/fdroid/repo/entry.jar', { headers: again })).status,
      ).toBe(304)

      await server.as(alice).files.setVisibility({ id: file_id, is_public: false })
      expect((await server.fetch(`/p/rocket/feeds/fdroid/repo${build?.file.name}`)).status).toBe(
        404,
      )
      // Each update begins with it.
      await get('entry.jar')
      expect(new TextDecoder().decode(await get('index-v2.json'))).not.toContain('io.appium')
    },
  )

  test(
    named('fdroidcl finds and downloads what two signers have signed, each by its signer'),
    async ({ server }) => {
      const rocket = await aRocket(server)
      const dir = await tempDir()
      const store = [
        '-keystore',
        'other.p12',
        '-storepass',
        'secret',
        '-alias',
        'other',
        '-dname',
        'CN=other',
      ]
      await run('keytool', ['-genkeypair', ...store, '-keyalg', 'RSA'], { cwd: dir })
      await run(
        'apksigner',
        ['sign', '--ks', 'other.p12', '--ks-pass', 'pass:secret', '--out', 'other.apk', apiDemos],
        {
          cwd: dir,
        },
      )
      const publish = async (version: string, path: string) => {
        const bytes = new Uint8Array(await readFile(path))
        await rocket.publish('demos.apk', { bytes, version })
        return sha256(bytes)
      }
      const [first, second] = [
        await publish('1.0.0', apiDemos),
        await publish('1.1.0', join(dir, 'other.apk')),
      ]
      const index = (await (
        await server.fetch('/p/rocket/feeds/fdroid/repo/index-v2.json')
      ).json()) as {
        packages: Record<
          string,
          {
            metadata: object
            versions: Record<string, { manifest: { signer: { sha256: string[] } } }>
          }
        >
      }
      const app = index.packages['io.appium.android.apis']
      const signers = [first, second].map(
        (build) => app?.versions[build]?.manifest.signer.sha256[0],
      )
      expect(new Set(signers).size).toBe(2)
      // F-Droid updates an app only by builds of the signer that is installed, and installs anew by
      // this one.
      expect(app?.metadata).toMatchObject({ preferredSigner: signers[1] })

      const env = {
        PATH: process.env['PATH'],
        HOME: dir,
        XDG_CONFIG_HOME: dir,
        XDG_CACHE_HOME: dir,
      }
      const fdroidcl = async (...args: string[]) => (await run('fdroidcl', args, { env })).stdout
      for (const name of ['f-droid', 'f-droid-archive']) await fdroidcl('repo', 'remove', name)
      await fdroidcl('repo', 'add', 'rocket', `${server.url}/p/rocket/feeds/fdroid/repo`)
      await fdroidcl('update')
      expect(await fdroidcl('show', 'io.appium.android.apis')).toContain('5.0.0')
      const told = await fdroidcl('download', 'io.appium.android.apis')
      const path = told.slice(told.indexOf(dir)).trim()
      expect([first, second]).toContain(sha256(await readFile(path)))
    },
  )
})
