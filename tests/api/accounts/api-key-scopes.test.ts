import { describe, expect } from 'vitest'
import type { Client } from '../../../renderer/lib/client/api-client'
import { createClient } from '../../support/network/client'
import type { KeyGrant } from '../../../server/access/actor'
import { aFile, aLink } from '../../support/world/factories'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import type { UserRecord } from '../../../server/data/records/account-records'

async function withKey(
  server: TestServer,
  owner: UserRecord,
  grant: Partial<KeyGrant>,
): Promise<Client> {
  const whole = { scopes: ['read', 'upload', 'manage'] as const, projectId: null, ...grant }
  const { key } = await server.inside.apiKeys.create(owner.id, 'CI', null, whole)
  return createClient(server.url, { headers: { 'x-api-key': key } })
}

const anUpload = () => new File(['bytes'], 'app.apk')

describe('a key with the scope "upload" only', () => {
  test('uploads into a project of its owner', async ({ server, alice, project }) => {
    const ci = await withKey(server, alice, { scopes: ['upload'] })

    const { file } = await ci.files.upload({
      file: anUpload(),
      project_id: project.slug,
      version: '2.0',
    })

    const { downloads } = (await server.as(alice).projects.byId({ id: project.slug })).project
    expect(downloads).toMatchObject([{ file_id: file.file_id, version: '2.0' }])
  })

  test('can neither read, change nor delete what is private', async ({ server, alice }) => {
    const file = await aFile(server, alice)
    const ci = await withKey(server, alice, { scopes: ['upload'] })

    await expect(ci.files.mine({})).rejects.toMatchObject({ code: 'forbidden', status: 403 })
    await expect(ci.files.remove({ id: file.file_id })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(ci.files.info({ id: file.file_id })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('sees public things as a visitor does', async ({ server, alice }) => {
    const file = await aFile(server, alice, { is_public: true })
    const ci = await withKey(server, alice, { scopes: ['upload'] })

    expect((await ci.files.info({ id: file.file_id })).file.can).toEqual(['read'])
  })
})

describe('a key that is bound to a project', () => {
  test('uploads into that project, also without naming it', async ({ server, alice, project }) => {
    const ci = await withKey(server, alice, { projectId: project.project_id })

    await ci.files.upload({ file: anUpload() })

    expect((await ci.projects.byId({ id: project.slug })).project.downloads).toMatchObject([
      { filename: 'app.apk' },
    ])
  })

  test('does not reach files beside the project', async ({ server, alice, project }) => {
    const [linked, beside] = [await aFile(server, alice), await aFile(server, alice)]
    await aLink(server, alice, project, linked)
    const ci = await withKey(server, alice, { projectId: project.project_id })

    await expect(ci.files.mine({})).rejects.toMatchObject({ code: 'forbidden' })
    await expect(ci.files.info({ id: beside.file_id })).rejects.toMatchObject({ code: 'not_found' })
    const linking = ci.projects.link({ id: project.slug, file_id: beside.file_id })
    await expect(linking).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('creating a key', () => {
  test('names its scopes and its project', async ({ signedIn: { client }, project }) => {
    const { key } = await client.apiKeys.create({
      name: 'CI',
      scopes: ['upload'],
      project_id: project.slug,
    })

    expect(key).toMatchObject({ scopes: ['upload'], project_id: project.project_id })
  })
})
