import { describe, expect } from 'vitest'
import { aFile, aLink, anApp, aProject } from '../../support/world/factories'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import type { UserRecord } from '../../../server/data/records/account-records'

/** The icon of a project for a reader, on its page and in the public list. */
async function iconFor(
  server: TestServer,
  slug: string,
  reader?: UserRecord,
): Promise<(string | null | undefined)[]> {
  const { projects } = reader ? server.as(reader) : server.visitor()
  const { project } = await projects.bySlug({ slug })
  const listed = (await projects.listPublic({})).projects.find((it) => it.slug === slug)
  return [project.icon_url, listed?.icon_url]
}

const both = (icon: string | null) => [icon, icon]

test('everyone sees the icon of the newest public package', async ({ server, alice }) => {
  const project = await aProject(server, alice, { is_public: true })
  expect(await iconFor(server, project.slug)).toEqual(both(null))

  const open = await anApp(server, alice, { filename: 'one.apk', is_public: true })
  const hidden = await anApp(server, alice, { filename: 'two.apk' })
  for (const file of [open, hidden, await aFile(server, alice, { is_public: true })]) {
    await aLink(server, alice, project, file)
  }
  expect(await iconFor(server, project.slug, alice)).toEqual(both(open.icon_url))
  expect(await iconFor(server, project.slug)).toEqual(both(open.icon_url))
  expect((await server.fetch(open.icon_url!)).status).toBe(200)

  const beta = await anApp(server, alice, { filename: 'three.apk', is_public: true })
  await aLink(server, alice, project, beta, { version: '2.0-beta.1' })
  expect(await iconFor(server, project.slug)).toEqual(both(open.icon_url))
  await server
    .as(alice)
    .releases.promote({ id: project.project_id, version: '2.0-beta.1', channel: 'stable' })
  expect(await iconFor(server, project.slug)).toEqual(both(beta.icon_url))
})

test('a private project shows its members the icon of their newest package', async ({
  server,
  alice,
  project,
}) => {
  const { icon_url } = await aLink(
    server,
    alice,
    project,
    await anApp(server, alice, { filename: 'one.apk' }),
  )
  const client = server.as(alice)
  const shown = async () =>
    (await client.projects.byId({ id: project.project_id })).project.icon_url
  expect(await shown()).toBe(icon_url)
  await client.projects.update({ id: project.project_id, is_public: true })
  expect(await shown()).toBeNull()
})

describe('testers.icon', () => {
  test('sends and shows the icon of a private build of the channel, and of no other', async ({
    server,
    alice,
  }) => {
    const project = await aProject(server, alice)
    const { project_id: id } = project
    const [beta, nightly] = [
      await anApp(server, alice),
      await anApp(server, alice, { filename: 'night.apk' }),
    ]
    await aLink(server, alice, project, beta, { version: '2.0-beta.1' })
    await aLink(server, alice, project, nightly, { version: '3.0-nightly.1' })
    await server.as(alice).releases.promote({ id, version: '3.0-nightly.1', channel: 'nightly' })
    const { url } = await server
      .as(alice)
      .testers.create({ id, name: 'Beta group', channel: 'beta' })
    const path = new URL(url).pathname
    const addressOf = (fileId: string) => `${path}/icons/${fileId}`

    for (const page of [path, `${path}/install`]) {
      const text = await (await server.fetch(page)).text()
      expect(text).toContain(`src="${addressOf(beta.file_id)}"`)
      expect(text).not.toContain(nightly.file_id)
    }
    const icon = await server.fetch(addressOf(beta.file_id))
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(icon.headers.get('cache-control')).toContain('no-store')
    expect((await server.fetch(addressOf(nightly.file_id))).status).toBe(404)
  })
})

test('a file that becomes private, withdrawn or deleted takes the icon from visitors', async ({
  server,
  alice,
}) => {
  const client = server.as(alice)
  const project = await aProject(server, alice, { is_public: true })
  const { file_id: id, icon_url } = await anApp(server, alice, {
    filename: 'one.apk',
    is_public: true,
  })
  await client.projects.link({ id: project.project_id, file_id: id })
  const shown = () => iconFor(server, project.slug)
  expect(await shown()).toEqual(both(icon_url))

  await client.files.setVisibility({ id, is_public: false })
  expect(await shown()).toEqual(both(null))
  await client.files.setVisibility({ id, is_public: true })
  const release = { id: project.project_id, version: '1.0' }
  await client.releases.withdraw(release)
  expect(await shown()).toEqual(both(null))
  expect(await iconFor(server, project.slug, alice)).toEqual(both(null))
  await client.releases.publish(release)
  expect(await shown()).toEqual(both(icon_url))
  await client.files.remove({ id })
  expect(await shown()).toEqual(both(null))
})
