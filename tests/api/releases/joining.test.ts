import { expect } from 'vitest'
import { verify } from '../../../server/data/repair/verify'
import { aFile, aLink, anApp, aProject } from '../../support/world/factories'
import { aManifest, anApk } from '../../support/packages'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import type { ReleaseRecord } from '../../../server/data/records/project-records'

const releasesOf = ({ inside }: TestServer, projectId: string) =>
  inside.projects.releases
    .ofProject(projectId)
    .map(({ version, channel, state }) => `${version} ${channel} ${state}`)

/** Fails if a record contradicts another. */
async function expectConsistent(server: TestServer): Promise<void> {
  await server.inside.library.settled()
  expect((await verify(server.dataDir, { readData: false, ...server.stored })).problems).toEqual([])
}

test('a file with a version creates or joins its release, a file without one joins none', async ({
  server,
  alice,
}) => {
  const project = await aProject(server, alice)
  const uploaded = { project_id: project.slug, version: '1.0' }
  await aFile(server, alice, { filename: 'rocket.apk', ...uploaded })
  await aFile(server, alice, { filename: 'rocket.exe', ...uploaded })
  await aFile(server, alice, { filename: 'notes.txt', project_id: project.slug })
  await aLink(server, alice, project, await aFile(server, alice, { version: '1.1.0-rc.1' }))
  await aLink(server, alice, project, await aFile(server, alice, { version: '1.1' }), {
    version: '1.2',
  })
  await aFile(server, alice, { filename: 'dots.bin', project_id: project.slug, version: '..' })

  expect(releasesOf(server, project.project_id)).toEqual([
    '1.2 stable published',
    '1.1.0-rc.1 beta published',
    '1.0 stable published',
  ])
  const links = server.inside.projects.links.ofProject(project.project_id)
  expect(links.map(({ releaseId }) => releaseId !== null)).toEqual([
    false,
    true,
    true,
    false,
    true,
    true,
  ])
  await expectConsistent(server)
})

test('a tag and a bare number name one release', async ({
  server,
  alice,
  published: { slug, project_id },
}) => {
  const client = server.as(alice)
  await aFile(server, alice, { filename: 'a.zip', project_id: slug, version: '1.0' })
  await aFile(server, alice, { filename: 'b.zip', project_id: slug, version: 'v1.0' })
  await aFile(server, alice, { filename: 'c.zip', project_id: slug, version: 'v2.0' })
  await aFile(server, alice, {
    filename: 'd.zip',
    project_id: slug,
    version: '2.0',
    is_public: true,
  })
  expect(releasesOf(server, project_id)).toEqual(['v2.0 stable published', '1.0 stable published'])
  await client.releases.create({ id: slug, version: 'valley' })
  await client.releases.create({ id: slug, version: 'alley' })
  await expect(client.releases.create({ id: slug, version: 'v1.0' })).rejects.toMatchObject({
    code: 'taken',
  })
  expect((await server.fetch(`/p/${slug}/releases/2.0/d.zip`)).status).toBe(200)
  await expectConsistent(server)
})

test('a file whose package is read later joins the releases that it would have joined', async ({
  server,
  alice,
}) => {
  const [rocket, rover] = [await aProject(server, alice), await aProject(server, alice)]
  const { files: store } = server.inside
  const bytes = new Uint8Array(anApk(aManifest('1.4')))
  const file = await aFile(server, alice, { filename: 'demo.apk', bytes })
  await store.setFacts(file.file_id, {})
  await aLink(server, alice, rocket, file)
  await aLink(server, alice, rover, file, { version: 'spring' })
  expect(releasesOf(server, rocket.project_id)).toEqual([])

  await server.as(alice).files.readAgain({ id: file.file_id })

  expect(releasesOf(server, rocket.project_id)).toEqual(['1.4 stable published'])
  expect(releasesOf(server, rover.project_id)).toEqual(['spring stable published'])
  const [link] = server.inside.projects.links.ofProject(rocket.project_id)
  expect(link).toMatchObject({ version: null, releaseId: expect.any(String) as string })
  await expectConsistent(server)
})

test('a package that is read again stays in its release', async ({ server, alice, project }) => {
  const bytes = new Uint8Array(anApk(aManifest('1.4')))
  const file = await anApp(server, alice, { filename: 'demo.apk', bytes })
  await aLink(server, alice, project, file)
  await server.as(alice).files.readAgain({ id: file.file_id })

  expect(releasesOf(server, project.project_id)).toEqual(['1.0 stable published'])
  await expectConsistent(server)
})

test('two uploads of a version at once join one release', async ({ server, alice, project }) => {
  const names = Array.from({ length: 8 }, (_, number) => `rocket-${number}.apk`)
  await Promise.all(
    names.map((filename) =>
      aFile(server, alice, { filename, project_id: project.slug, version: '1.0' }),
    ),
  )

  const [release, ...others] = server.inside.projects.releases.ofProject(project.project_id)
  expect(others).toEqual([])
  expect(server.inside.projects.links.ofRelease(release!.id)).toHaveLength(8)
  await expectConsistent(server)
})

test('a release leaves with its last file, unless a person made or changed it', async ({
  server,
  alice,
  project,
}) => {
  const { releases } = server.inside.projects
  const id = project.project_id
  const add = (filename: string, version: string) =>
    aFile(server, alice, { filename, project_id: id, version })
  const one = await add('1.apk', '1.0')
  const other = await add('2.apk', '1.0')
  const noted = await add('3.apk', '2.0')
  await releases.change(releases.ofVersion(id, '2.0')!.id, { notes: 'Faster' })
  const client = server.as(alice).projects

  await client.unlink({ id, downloadId: one.file_id })
  expect(releasesOf(server, id)).toEqual(['2.0 stable published', '1.0 stable published'])
  await client.unlink({ id, downloadId: other.file_id })
  await client.unlink({ id, downloadId: noted.file_id })
  expect(releasesOf(server, id)).toEqual(['2.0 stable published'])
  await expectConsistent(server)
})

test('files in the trash take empty releases along, and restoring brings them back', async ({
  server,
  alice,
}) => {
  const project = await aProject(server, alice)
  const id = project.project_id
  const file = await aFile(server, alice, { project_id: id, version: '1.0-beta' })
  const { files, trash } = server.as(alice)

  await files.remove({ id: file.file_id })
  expect(releasesOf(server, id)).toEqual([])
  await expectConsistent(server)
  await trash.restore({ id: file.file_id })
  expect(releasesOf(server, id)).toEqual(['1.0-beta beta published'])
  await expectConsistent(server)
})

test('a file that returns joins the release as it is now', async ({ server, alice, project }) => {
  const id = project.project_id
  const file = await aFile(server, alice, { filename: '1.apk', project_id: id, version: '1.0' })
  await aFile(server, alice, { filename: '2.apk', project_id: id, version: '1.0' })
  const { files, trash } = server.as(alice)
  const { releases } = server.inside.projects

  await files.remove({ id: file.file_id })
  await releases.change(releases.ofVersion(id, '1.0')!.id, { state: 'withdrawn' })
  await trash.restore({ id: file.file_id })

  expect(releasesOf(server, id)).toEqual(['1.0 stable withdrawn'])
  await expectConsistent(server)
})

test('a project in the trash takes its releases along; their notes count as its size', async ({
  server,
  alice,
}) => {
  const project = await aProject(server, alice)
  const id = project.project_id
  const file = await aFile(server, alice, { project_id: id, version: '1.0' })
  const { releases } = server.inside.projects
  await releases.create({ id, ownerId: alice.id }, '2.0', { notes: 'Später', state: 'draft' })
  const { projects, files, trash } = server.as(alice)
  const before = structuredClone<readonly ReleaseRecord[]>(releases.ofProject(id))
  expect(server.inside.quota.used(alice.id)).toBe(file.size + 'Rocket'.length + 7)

  await projects.remove({ id })
  expect(releases.ofProject(id)).toEqual([])
  expect((await trash.list({})).items).toMatchObject([{ size: 'Rocket'.length + 7 }])
  await files.remove({ id: file.file_id })
  await trash.restore({ id })
  expect(releases.ofProject(id)).toEqual(before)
  await expectConsistent(server)
  await trash.remove({ id: file.file_id })
  expect(releasesOf(server, id)).toEqual(['2.0 stable draft'])
  await expectConsistent(server)
})

test('verify reports links that contradict releases', async ({ server, alice, project }) => {
  await aFile(server, alice, { project_id: project.slug, version: '1.0' })
  const { library } = server.inside
  const releases = library.collection('releases')
  const [release] = [...releases.values()]
  await library.transact((tx) => {
    tx.delete(releases, release!.id)
    for (const projectId of ['noSuchProject000', project.project_id]) {
      const id = `otherRelease${projectId}`.slice(0, 22)
      tx.put(releases, id, { ...release!, id, projectId })
    }
  })

  expect((await verify(server.dataDir, { readData: false, ...server.stored })).problems).toEqual([
    expect.stringMatching(/^link .+ belongs to a release that its project does not have$/),
    'release 1.0 belongs to a project that does not exist (noSuchProject000)',
    expect.stringMatching(/^release 1\.0 has the id of another one \(otherRelease/),
  ])
})
