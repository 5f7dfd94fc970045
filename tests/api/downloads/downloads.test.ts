import { describe, expect } from 'vitest'
import { aFile, aLink, aProject, aUser } from '../../support/world/factories'
import { problem, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import type { UserRecord } from '../../../server/data/records/account-records'

const textOf = async (response: Promise<Response>) => (await response).text()

/** A project with a file, and every address of the file. */
async function aRelease(
  server: TestServer,
  owner: UserRecord,
  file: { is_public: boolean },
  project: { is_public: boolean },
) {
  const uploaded = await aFile(server, owner, {
    filename: 'rocket-1.0.apk',
    bytes: 'rocket',
    ...file,
  })
  const made = await aProject(server, owner, project)
  await aLink(server, owner, made, uploaded)
  const direct = `/api/files/${uploaded.file_id}/download`
  const ofProject = `/api/projects/${made.slug}/downloads/${uploaded.file_id}/download`
  const ofUser = `/api/files/public/${owner.username}/${uploaded.file_id}/download`
  return { project: made, direct, ofProject, ofUser, all: [direct, ofProject, ofUser] }
}

describe('files.download', () => {
  test('anyone gets a public file', async ({ server }) => {
    const { direct } = await aRelease(
      server,
      await aUser(server, 'alice'),
      { is_public: true },
      { is_public: true },
    )

    expect(await textOf(server.fetch(direct))).toBe('rocket')
  })

  test('a private one is kept out of every cache', async ({ server, alice }) => {
    const { direct } = await aRelease(server, alice, { is_public: false }, { is_public: false })

    expect((await server.fetchAs(alice)(direct)).headers.get('cache-control')).toMatch(
      /^private, no-store/,
    )
  })
})

describe('projects.download', () => {
  test('anyone gets a public file of a public project', async ({ server }) => {
    const { ofProject } = await aRelease(
      server,
      await aUser(server, 'alice'),
      { is_public: true },
      { is_public: true },
    )

    expect(await textOf(server.fetch(ofProject))).toBe('rocket')
  })

  test('collaborators lose a private file when it is taken off the project', async ({ server }) => {
    const [alice, carol] = [await aUser(server, 'alice'), await aUser(server, 'carol')]
    const { project, direct, ofProject } = await aRelease(
      server,
      alice,
      { is_public: false },
      { is_public: false },
    )
    await server.as(alice).collaborators.add({ id: project.slug, username: 'carol' })
    const { downloads } = (await server.as(carol).projects.byId({ id: project.slug })).project

    await server.as(alice).projects.unlink({ id: project.slug, downloadId: downloads[0]!.file_id })

    for (const path of [direct, ofProject]) {
      expect(await replyOf(server.fetchAs(carol)(path))).toEqual(problem('not_found'))
    }
  })

  test('a file that is on another project is not on this one', async ({ server, alice }) => {
    const { ofProject } = await aRelease(server, alice, { is_public: true }, { is_public: true })
    const other = await aProject(server, alice, { title: 'Other', is_public: true })

    expect(await replyOf(server.fetch(ofProject.replace('rocket', other.slug)))).toEqual(
      problem('not_found'),
    )
  })
})

describe('files.downloadPublic', () => {
  test('anyone gets a public file under its owner’s name, in any case', async ({ server }) => {
    const { ofUser } = await aRelease(
      server,
      await aUser(server, 'alice'),
      { is_public: true },
      { is_public: true },
    )

    expect(await textOf(server.fetch(ofUser))).toBe('rocket')
    expect(await textOf(server.fetch(ofUser.replace('alice', 'ALICE')))).toBe('rocket')
  })

  test('refuses a public file under another user’s name', async ({ server }) => {
    const { ofUser } = await aRelease(
      server,
      await aUser(server, 'alice'),
      { is_public: true },
      { is_public: true },
    )
    await aUser(server, 'bob')

    for (const name of ['bob', 'nobody', '..%2f', '%00']) {
      expect((await server.fetch(ofUser.replace('alice', name))).status, name).toBe(404)
    }
  })
})
