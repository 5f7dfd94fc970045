import { expect } from 'vitest'
import { aDeb, aTar } from '../../support/linux-package'
import { aFile, aProject, aUser } from '../../support/world/factories'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

async function aRocket(server: TestServer) {
  const alice = await aUser(server, 'alice')
  const { project_id: id } = await aProject(server, alice, { is_public: true })
  const publish = (
    filename: string,
    version: string,
    bytes: string | Uint8Array<ArrayBuffer> = filename,
  ) => aFile(server, alice, { filename, bytes, project_id: id, version, is_public: true })
  const get = async (path: string) =>
    server.fetch(`/p/rocket/feeds/${path}`, { redirect: 'manual' })
  return { id, owner: server.as(alice), publish, get }
}

test('a channel answers after its last release was promoted, withdrawn, made private or deleted', async ({
  server,
}) => {
  const { id, owner, publish, get } = await aRocket(server)
  const leave = {
    promoted: (version: string) => owner.releases.promote({ id, version, channel: 'stable' }),
    withdrawn: (version: string) => owner.releases.withdraw({ id, version }),
    private: (_: string, file: string) => owner.files.setVisibility({ id: file, is_public: false }),
    deleted: (_: string, file: string) => owner.files.remove({ id: file }),
  }
  for (const [n, [channel, end]] of Object.entries(leave).entries()) {
    const version = `1.${n}.0`
    const { file_id } = await publish(`rocket-${n}.zip`, version)
    await owner.releases.promote({ id, version, channel })
    await end(version, file_id)
    const paths = [
      `apt/dists/${channel}/InRelease`,
      `pacman/${channel}/x86_64/rocket-${channel}.db`,
      `pip/${channel}/`,
    ]
    const statuses = await Promise.all(paths.map(async (path) => (await get(path)).status))
    expect.soft([channel, ...statuses]).toEqual([channel, 200, 200, 200])
  }
  expect((await get('apt/dists/never/InRelease')).status).toBe(404)
})

test('package managers get an empty index of a project that was public, and nothing of others', async ({
  server,
}) => {
  const { id, owner, publish, get } = await aRocket(server)
  await server.inside.settings.update({ npm_registry: 'https://npm.example' })
  await publish('fuel-1.0-py3-none-any.whl', '1.0')
  await owner.releases.promote({ id, version: '1.0', channel: 'beta' })
  const repositories = [
    'apt/dists/beta/InRelease',
    'pacman/beta/x86_64/rocket-beta.db',
    'rpm/beta/repodata/repomd.xml',
    'pip/beta/',
    'npm/left-pad',
  ]
  const others = ['pip/beta/fuel/', 'npm/fuel', 'apt/dists/nightly/InRelease', 'atom.xml']
  const statuses = async (paths: readonly string[]) =>
    Promise.all(paths.map(async (path) => (await get(path)).status))
  const ends = {
    private: () => owner.projects.update({ id, is_public: false }),
    deleted: () => owner.projects.remove({ id }),
  }
  for (const [end, reach] of Object.entries(ends)) {
    await reach()
    expect.soft([end, ...(await statuses(repositories))]).toEqual([end, 200, 200, 200, 200, 302])
    expect.soft([end, ...(await statuses(others))]).toEqual([end, 404, 404, 404, 404])
  }

  const { project } = await owner.projects.create({ title: 'Secret' })
  const secret = async () =>
    (await server.fetch('/p/secret/feeds/apt/dists/stable/InRelease')).status
  expect(await secret()).toBe(404)
  await owner.projects.remove({ id: project.project_id })
  expect(await secret()).toBe(404)
})

test('redirects no name of the project to another registry, even if its file is unreadable or deleted', async ({
  server,
}) => {
  const { owner, publish, get } = await aRocket(server)
  const foreign = { npm_registry: 'https://npm.example', python_index: 'https://python.example' }
  await server.inside.settings.update(foreign)
  const files = ['acme-rocket-1.0.0.tgz', 'my_lib.core-2.0.tar.gz', 'fuel-1.0-py3-none-any.whl']
  const names = [
    'npm/@acme/rocket',
    'npm/acme-rocket',
    'pip/stable/my-lib-core/',
    'pip/stable/fuel/',
  ]
  const statuses = () => Promise.all(names.map(async (name) => (await get(name)).status))
  const added = await Promise.all(files.map((filename) => publish(filename, '1.0.0')))
  expect(await statuses()).toEqual([404, 404, 404, 404])

  for (const { file_id: id } of added) await owner.files.setVisibility({ id, is_public: false })
  expect(await statuses()).toEqual([404, 404, 404, 404])
  for (const { file_id: id } of added) await owner.files.remove({ id })
  expect(await statuses()).toEqual([404, 404, 404, 404])
  expect((await get('npm/left-pad')).status).toBe(302)
})

test('an index finds its lists and its signature for ten minutes after the next release', async ({
  server,
}) => {
  const { publish, get } = await aRocket(server)
  const read = async (path: string) =>
    Buffer.from(await (await get(path)).arrayBuffer()).toString('base64')
  const release = async (version: string) => {
    const control = `Package: rocket\nVersion: ${version}\nArchitecture: all\nMaintainer: A\nDescription: a\n`
    const info = `pkgname = rocket\npkgver = ${version}-1\npkgdesc = a\narch = any\n`
    await publish(
      `${version}.deb`,
      version,
      new Uint8Array(aDeb('', aTar('./control', Buffer.from(control)))),
    )
    await publish(`${version}.pacman`, version, new Uint8Array(aTar('.PKGINFO', Buffer.from(info))))
  }
  await release('1.0')
  const index = await (await get('apt/dists/stable/InRelease')).text()
  const [, hash] = /([0-9a-f]{64}) \d+ main\/binary-amd64\/Packages\n/.exec(index) ?? []
  const list = `apt/dists/stable/main/binary-amd64/by-hash/SHA256/${hash}`
  const database = 'pacman/stable/x86_64/rocket.db'
  const [before, signature] = [
    await read(database),
    await read(`${database}.sig`),
    await read(database),
  ]

  await release('1.1')
  expect((await get(list)).status).toBe(200)
  expect(await read(`${database}.sig`)).toBe(signature)
  expect(await read(database)).not.toBe(before)
  expect(await read(`${database}.sig`)).not.toBe(signature)
  server.clock.advance(600_001)
  expect((await get(list)).status).toBe(404)
})
