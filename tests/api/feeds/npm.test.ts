import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { updaterCard } from '../../../server/contract/update-clients/update-clients'
import { aLockedLink } from '../../support/install/locked-link'
import { anNpmPackage } from '../../support/packages/for-managers'
import { run } from '../../support/system/debian'
import { aRocket } from '../../support/world/factories'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { tempDir } from '../../support/system/temp-dir'

async function aPackageOf(server: TestServer, isPublic = true) {
  const rocket = await aRocket(server, isPublic)
  const publish = (version: string, name = '@acme/rocket') =>
    rocket.publish(`rocket-${version}.tgz`, { bytes: anNpmPackage(name, version) })
  const get = (path: string) => server.fetch(`/p/rocket/feeds/npm/${path}`, { redirect: 'manual' })
  return { ...rocket, publish, get }
}

describe('feeds.repository, for npm', () => {
  test('npm installs by the lines of a tester link with a password', async ({ server }) => {
    const { id, owner, publish } = await aPackageOf(server, false)
    const dir = await tempDir()
    await publish('1.0.0')
    await publish('1.1.0-beta.1')
    await publish('0.3.0', 'rocket')
    await writeFile(join(dir, 'package.json'), '{}')
    const names = ['@acme/rocket', 'rocket']
    const cardOf = (address: string, channel: string) =>
      updaterCard('npm', { address, slug: 'rocket', channel, names, fingerprint: null })
    const linesOf = (address: string, channel: string) => cardOf(address, channel)?.lines?.npm ?? ''
    const { base } = await aLockedLink(server, owner, id)
    const lines = linesOf(server.url + base, 'stable')
    const env = {
      ...process.env,
      npm_config_cache: join(dir, 'cache'),
      npm_config_userconfig: join(dir, 'npmrc'),
    }
    await run('sh', ['-ec', lines], { cwd: dir, env })
    const lock = JSON.parse(await readFile(join(dir, 'package-lock.json'), 'utf8')) as {
      packages: object
    }
    expect(lock.packages).toMatchObject({
      'node_modules/@acme/rocket': { version: '1.0.0' },
      'node_modules/rocket': { version: '0.3.0' },
    })
    expect(linesOf(server.url, 'beta')).toContain('npm install @acme/rocket@beta\n')
    // Yarn 4 waits a day with a new release otherwise.
    expect(JSON.stringify(cardOf(server.url, 'stable'))).toContain('npmPreapprovedPackages')
  })

  test('tells the versions and tags of a package, and has its bytes', async ({ server }) => {
    const { id, owner, publish, get } = await aPackageOf(server)
    await publish('1.0.0')
    await publish('1.1.0-beta.1')
    const scoped = await Promise.all(
      ['@acme%2frocket', '@acme/rocket'].map(async (path): Promise<unknown> =>
        (await get(path)).json(),
      ),
    )
    expect(scoped[0]).toEqual(scoped[1])
    const bytes = anNpmPackage('@acme/rocket', '1.0.0')
    const digest = (algorithm: string, form: 'base64' | 'hex') =>
      createHash(algorithm).update(bytes).digest(form)
    const { versions, ...packument } = scoped[0] as {
      versions: Record<string, { dist: { tarball: string } }>
    }
    expect(packument).toMatchObject({
      'dist-tags': { latest: '1.0.0', stable: '1.0.0', beta: '1.1.0-beta.1' },
      time: { created: expect.any(String), modified: expect.any(String) },
    })
    expect(versions['1.0.0']).toMatchObject({
      name: '@acme/rocket',
      dist: { integrity: `sha512-${digest('sha512', 'base64')}`, shasum: digest('sha1', 'hex') },
    })
    const tarball = await server.fetch(new URL(versions['1.0.0']?.dist.tarball ?? '').pathname)
    expect(new Uint8Array(await tarball.arrayBuffer())).toEqual(bytes)

    const search = async (text: string) =>
      (await (await get(`-/v1/search?text=${text}&size=20`)).json()) as object
    expect(await search('Acme+rocket')).toMatchObject({
      objects: [{ package: { name: '@acme/rocket', version: '1.0.0' } }],
      total: 1,
    })
    expect(await search('acme+none')).toMatchObject({ objects: [], total: 0 })

    // Other names come from the registry of the settings. A name of this project never does, even
    // when it is withdrawn.
    expect((await get('left-pad')).status).toBe(404)
    await server.inside.settings.update({ npm_registry: 'https://npm.example' })
    expect((await get('left-pad/-/left-pad-1.3.0.tgz')).headers.get('location')).toBe(
      'https://npm.example/left-pad/-/left-pad-1.3.0.tgz',
    )
    expect((await get('JSONStream')).headers.get('location')).toBe('https://npm.example/JSONStream')
    await owner.releases.withdraw({ id, version: '1.0.0' })
    await owner.releases.withdraw({ id, version: '1.1.0-beta.1' })
    expect((await get('@acme/rocket')).status).toBe(404)
    expect((await get('../rocket')).status).toBe(404)
  })
})
