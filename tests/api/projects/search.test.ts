import { describe, expect } from 'vitest'
import type { Client } from '../../../renderer/lib/client/api-client'
import { aFile, aProject, aUser } from '../../support/world/factories'
import { test } from '../../support/world/http'

const names = async (client: Client, text: string) => {
  const { results } = await client.search.find({ text })
  return {
    projects: results.projects.map(({ title }) => title),
    releases: results.releases.map(({ title, version }) => `${title} ${version}`),
    files: results.files.map(({ filename }) => filename),
    people: results.people.map(({ username }) => username),
  }
}
const nothing = { projects: [], releases: [], files: [], people: [] }

describe('search.find', () => {
  test('finds what the lists of a person have, and no more', async ({
    server,
    alice,
    bob,
    signedIn: { client },
  }) => {
    const project = await aProject(server, alice, { title: 'Lantern' })
    await aProject(server, alice, { title: 'Rocket', is_public: true })
    await client.releases.create({
      id: project.project_id,
      version: '1.5.0-beta.1',
      channel: 'beta',
    })
    await client.releases.create({ id: project.project_id, version: '1.4.0', state: 'draft' })
    await aFile(server, alice, { filename: 'lantern.apk' })
    await aFile(server, alice, { filename: 'notes.txt', is_public: true })

    const both = ['Lantern 1.5.0-beta.1', 'Lantern 1.4.0']
    expect(await names(client, 'LANTERN')).toEqual({
      projects: ['Lantern'],
      releases: both,
      files: ['lantern.apk'],
      people: [],
    })
    expect((await names(client, 'lantern 1.5')).releases).toEqual([both[0]])
    expect((await client.search.find({ text: '1.5' })).results.releases).toMatchObject([
      { channel: 'beta', state: 'published', can: ['read', 'update', 'delete'] },
    ])

    const other = await server.signedIn(bob)
    for (const text of ['lantern', 'rocket', 'notes', 'alice'])
      expect(await names(other.client, text), text).toEqual(nothing)
    await client.collaborators.add({ id: project.project_id, username: 'bob' })
    expect(await names(other.client, 'lantern')).toEqual({
      ...nothing,
      projects: ['Lantern'],
      releases: both,
    })
    expect((await other.client.search.find({ text: '1.4' })).results.releases).toMatchObject([
      { can: ['read'] },
    ])
  })

  test('finds people for those who manage the host only', async ({ server }) => {
    const owner = await server.signedIn(await aUser(server, 'owner', { isHost: true }))
    await aUser(server, 'alice')
    expect((await names(owner.client, 'alice')).people).toEqual([])
    await owner.client.manage.begin({ link: server.inside.manageLinks.make() })
    expect((await names(owner.client, 'alice')).people).toEqual(['alice'])
  })

  test('answers six of a kind at most, no key', async ({ server, alice, signedIn: { client } }) => {
    for (let number = 0; number < 8; number++)
      await aFile(server, alice, { filename: `build-${number}.zip` })
    expect((await names(client, 'build')).files).toEqual(
      [7, 6, 5, 4, 3, 2].map((number) => `build-${number}.zip`),
    )
    await expect(server.as(alice).search.find({ text: 'build' })).rejects.toMatchObject({
      status: 401,
    })
  })
})
