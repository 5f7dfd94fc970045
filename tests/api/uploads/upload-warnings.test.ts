import { describe, expect } from 'vitest'
import { aFile, aProject } from '../../support/world/factories'
import { keptBytes, NOTHING_KEPT } from '../../support/kept-bytes'
import { metadata, TusClient } from '../../support/network/tus'
import { aManifest, anApk } from '../../support/packages'
import { test } from '../../support/world/http'

const apk = (version: string) => new Uint8Array(anApk(aManifest(version)))
const app = (version: string) => new File([apk(version)], 'rocket.apk')
const UNSIGNED = {
  code: 'unsigned',
  message: 'This build is not signed. Sign it, because devices may refuse to install it.',
}
const SAME = {
  code: 'same_version',
  message:
    'The project already has version 1.0 of this app. Raise the version, or remove the older file.',
}

describe('a build that its project may not expect', () => {
  test('is published with warnings by form, PUT, tus and link', async ({ server, alice }) => {
    const client = server.as(alice)
    const { project_id } = await aProject(server, alice)
    expect((await client.files.upload({ file: app('1.0') })).warnings).toEqual([])
    expect((await client.files.upload({ file: app('1.0'), project_id })).warnings).toEqual([
      UNSIGNED,
    ])
    const put = await client.files.put({ filename: 'rocket.apk', file: app('1.0'), project_id })
    expect(put.warnings).toEqual([SAME, UNSIGNED])

    const tus = TusClient.of(server, alice)
    const bytes = Buffer.from(apk('1.1'))
    const meta = { 'upload-metadata': metadata({ filename: 'rocket.apk', project_id }) }
    const address = await tus.begin(bytes.length, meta)
    const reply = await tus.patch(address, 0, bytes)
    expect(reply.headers.get('slipway-warnings')).toBe('unsigned')
    const { upload } = await client.uploads.info({ id: address.split('/').at(-1)! })
    expect([upload.linked, upload.warnings]).toEqual([true, [UNSIGNED]])

    const loose = await aFile(server, alice, { filename: 'rocket.apk', bytes: apk('1.0') })
    const { warnings } = await client.projects.link({ id: project_id, file_id: loose.file_id })
    expect(warnings).toEqual([SAME, UNSIGNED])
  })

  test('is rejected with strict, and leaves no file or link', async ({ server, alice }) => {
    const client = server.as(alice)
    const { project_id } = await aProject(server, alice)
    const strictly = { file: app('1.0'), project_id, strict: 'true' }
    const refused = { code: 'build_mismatch', status: 409, message: UNSIGNED.message }
    await expect(client.files.upload(strictly)).rejects.toMatchObject(refused)
    await expect(client.files.put({ filename: 'rocket.apk', ...strictly })).rejects.toMatchObject(
      refused,
    )

    const tus = TusClient.of(server, alice)
    const bytes = Buffer.from(apk('1.0'))
    const meta = {
      'upload-metadata': metadata({ filename: 'rocket.apk', project_id, strict: 'true' }),
    }
    const address = await tus.begin(bytes.length, meta)
    expect((await tus.patch(address, 0, bytes)).status).toBe(409)
    expect((await server.fetchAs(alice)(address)).status).toBe(404)

    expect(await keptBytes(server)).toEqual(NOTHING_KEPT)
    expect((await client.files.mine({})).total).toBe(0)
    const notes = await client.files.upload({
      file: new File(['notes'], 'notes.txt'),
      project_id,
      strict: 'true',
    })
    expect(notes.warnings).toEqual([])
  })

  test('is reported for each file of several links', async ({
    server,
    alice,
    project: { project_id: id },
  }) => {
    const client = server.as(alice)
    const unsigned = await aFile(server, alice, { filename: 'rocket.apk', bytes: apk('1.0') })
    const notes = await aFile(server, alice)
    const file_ids = [unsigned.file_id, notes.file_id]
    const strictly = await client.projects.linkMany({ id, file_ids, strict: true })

    const refused = { id: unsigned.file_id, code: 'build_mismatch', error: UNSIGNED.message }
    expect(strictly).toMatchObject({ done: [notes.file_id], failed: [refused], warnings: [] })
    const loosely = await client.projects.linkMany({ id, file_ids })
    expect(loosely).toMatchObject({
      done: [unsigned.file_id],
      failed: [{ id: notes.file_id, code: 'taken' }],
      warnings: [{ id: unsigned.file_id, ...UNSIGNED }],
    })
  })
})

test('infers the platform from the package if the sender names none', async ({ server, alice }) => {
  const client = server.as(alice)
  const { project_id: id } = await aProject(server, alice)
  await aFile(server, alice, { filename: 'rocket.apk', bytes: apk('1.0'), project_id: id })
  await aFile(server, alice, {
    filename: 'rocket.apk',
    bytes: apk('1.1'),
    project_id: id,
    platform: 'Android TV',
  })

  const { downloads } = (await client.projects.byId({ id })).project
  expect(downloads.map(({ platform }) => platform)).toEqual(['Android TV', 'Android'])
})
