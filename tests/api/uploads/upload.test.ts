import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { aUser } from '../../support/world/factories'
import { fieldPart, filePart, multipartBody, multipartType } from '../../support/multipart'
import { replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'
import { sendUpload, upload, uploadForm } from '../../support/world/upload'
import { sha256 } from '../../support/system/sha256'

describe('files.upload', () => {
  test('keeps the file and answers what it is', async ({ server, clock, alice }) => {
    const form = uploadForm(new File(['hello'], 'hello.txt'))

    const { status, body } = await replyOf(sendUpload(server.fetchAs(alice), form))
    const { file_id } = body as { file_id: string }

    expect(status).toBe(201)
    expect(body).toEqual({
      success: true,
      message: 'File uploaded successfully!',
      file_id: expect.stringMatching(/^[\w-]{16}$/),
      warnings: [],
      file: {
        file_id,
        filename: 'hello.txt',
        facts: null,
        icon_url: null,
        is_damaged: false,
        size: 5,
        visibility: 'private',
        is_public: false,
        uploaded_at: clock.now().toISOString(),
        owner: 'alice',
        sha256: sha256('hello'),
        version: null,
        downloads: 0,
        projects: [],
        mirror: null,
        received: null,
        can: ['read', 'publish', 'update', 'share', 'delete'],
      },
    })
  })

  test('takes what a phone shares, leads to My Files, and refuses it from a page', async ({
    server,
    alice,
  }) => {
    const { browser } = await server.signedIn(alice)
    const share = (headers: Record<string, string>) =>
      browser.fetch(`${server.url}/api/files/upload`, {
        method: 'POST',
        body: uploadForm(new File(['hello'], 'photo.jpg')),
        redirect: 'manual',
        headers: { origin: 'null', 'sec-fetch-dest': 'document', ...headers },
      })

    const { status, headers } = await share({ 'sec-fetch-site': 'none' })
    const [file] = (await server.as(alice).files.mine({})).files
    expect([status, headers.get('location')]).toEqual([303, `/my-files?shared=${file?.file_id}`])
    expect(file).toMatchObject({ filename: 'photo.jpg', is_public: false, projects: [] })

    expect((await share({ 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await share({})).status).toBe(403)
    expect((await server.as(alice).files.mine({})).total).toBe(1)
  })

  test('stores the exact bytes, under a generated name, for us alone', async ({ server }) => {
    const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * index) % 256))
    const file = await upload(
      server.fetchAs(await aUser(server, 'alice')),
      new File([bytes], 'all.bin'),
    )

    const names = await readdir(join(server.dataDir, 'blobs'), { recursive: true })
    const path = join(
      server.dataDir,
      'blobs',
      names.find((name) => /[0-9a-f]{32}$/.test(name))!,
    )

    expect(file).toMatchObject({ size: 200_000, sha256: sha256(bytes) })
    expect((await readFile(path)).equals(bytes)).toBe(true)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(path).not.toContain('all')
  })

  test('reads whether it is public', async ({ server, alice }) => {
    const send = async (is_public: string) =>
      (await upload(server.fetchAs(alice), new File(['x'], 'x.txt'), { is_public })).is_public

    for (const yes of ['true', '1', 'on']) expect(await send(yes), yes).toBe(true)
    for (const no of ['false', '0']) expect(await send(no), no).toBe(false)
  })

  test('the fields may come after the file', async ({ server, alice }) => {
    const body = multipartBody(
      filePart('bytes', 'rocket.apk'),
      fieldPart('version', '4.5'),
      fieldPart('is_public', 'true'),
    )
    const headers = { 'content-type': multipartType }

    const { body: reply } = await replyOf(
      server.fetchAs(alice)('/api/files/upload', { method: 'POST', headers, body }),
    )

    expect(reply).toMatchObject({
      file: { filename: 'rocket.apk', is_public: true, version: '4.5', size: 5 },
    })
  })

  test('puts the file onto a project in the same call', async ({ server, alice, project }) => {
    const { project_id, slug } = project
    for (const named of [{ project_id }, { project_id: slug }, { project: slug }]) {
      const fields = { ...named, version: '2.0', platform: 'Android' }
      await upload(server.fetchAs(alice), new File(['x'], 'rocket.apk'), fields)
    }

    const { downloads } = (await server.as(alice).projects.byId({ id: project.slug })).project
    expect(downloads).toMatchObject(
      Array(3).fill({ filename: 'rocket.apk', version: '2.0', platform: 'Android' }),
    )
  })

  test('empty version and platform are none', async ({ server, alice, project: { slug } }) => {
    const file = await upload(server.fetchAs(alice), new File(['x'], 'x.txt'), {
      project_id: slug,
      version: '',
      platform: '',
    })

    const { downloads } = (await server.as(alice).projects.byId({ id: slug })).project
    expect(file.version).toBeNull()
    expect(downloads).toMatchObject([{ version: null, platform: null }])
  })
})
