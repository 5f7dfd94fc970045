import { expect } from 'vitest'
import { aFile, aLink, anApp, aProject, aUser } from '../../support/world/factories'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import type { UserRecord } from '../../../server/data/records/account-records'

/** The icon of a project for a reader, on its page and in the public list. */
async function iconFor(server: TestServer, slug: string, reader?: UserRecord): Promise<(string | null | undefined)[]> {
  const { projects } = reader ? server.as(reader) : server.visitor()
  const { project } = await projects.bySlug({ slug })
  const listed = (await projects.listPublic({})).projects.find((it) => it.slug === slug)
  return [project.icon_url, listed?.icon_url]
}

const both = (icon: string | null) => [icon, icon]

test('a project has the icon of its newest file that the reader may see', async ({ server }) => {
  const alice = await aUser(server, 'alice')
  const bob = await aUser(server, 'bob')
  const project = await aProject(server, alice, { is_public: true })
  expect(await iconFor(server, project.slug)).toEqual(both(null))

  const open = await anApp(server, alice, { filename: 'one.apk', is_public: true })
  const hidden = await anApp(server, alice, { filename: 'two.apk' })
  for (const file of [open, hidden, await aFile(server, alice, { is_public: true })]) {
    await aLink(server, alice, project, file)
  }

  expect(await iconFor(server, project.slug, alice)).toEqual(both(hidden.icon_url))
  expect(await iconFor(server, project.slug, bob)).toEqual(both(open.icon_url))
  expect(await iconFor(server, project.slug)).toEqual(both(open.icon_url))
  expect((await server.fetch(open.icon_url!)).status).toBe(200)
})

test('a file that becomes private, is withdrawn or is deleted takes the icon from visitors', async ({ server }) => {
  const alice = await aUser(server, 'alice')
  const client = server.as(alice)
  const project = await aProject(server, alice, { is_public: true })
  const { file_id: id, icon_url } = await anApp(server, alice, { filename: 'one.apk', is_public: true })
  await client.projects.link({ id: project.project_id, file_id: id })
  const shown = () => iconFor(server, project.slug)
  expect(await shown()).toEqual(both(icon_url))

  await client.files.setVisibility({ id, is_public: false })
  expect(await shown()).toEqual(both(null))
  await client.files.setVisibility({ id, is_public: true })
  const release = { id: project.project_id, version: '1.0' }
  await client.releases.withdraw(release)
  expect(await shown()).toEqual(both(null))
  expect(await iconFor(server, project.slug, alice)).toEqual(both(icon_url))
  await client.releases.publish(release)
  expect(await shown()).toEqual(both(icon_url))
  await client.files.remove({ id })
  expect(await shown()).toEqual(both(null))
})
