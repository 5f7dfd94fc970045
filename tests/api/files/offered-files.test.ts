import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { api, MB } from '../../../server/contract'
import { aFullQuota, aProject, aUser } from '../../support/world/factories'
import { keptBytes, NOTHING_KEPT } from '../../support/kept-bytes'
import { offer, publishOffered } from '../../support/offered'
import { json, problem, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'
import { onceStored } from '../../support/world/upload'
import type { TestServer } from '../../support/world/test-server'

const { path } = api.localFiles.publish
const asking = (body: object, headers?: Record<string, string>) => json('POST', body, headers)
const windowOf = async (server: TestServer) => {
  const alice = await aUser(server, 'alice')
  return { alice, ...(await server.atWindow(alice)) }
}

describe('localFiles.publish', () => {
  test('publishes what was given to the window, as every upload is', async ({ server, folder }) => {
    const { alice, client, browser } = await windowOf(server)
    const { project_id, slug } = await aProject(server, alice)
    const bytes = randomBytes(3 * MB)
    const heard: number[] = []
    const wishes = { isPublic: true, projectId: slug, version: '1.2', platform: 'Android' }

    const offered = await offer(server, folder, { bytes })
    const file = await publishOffered(browser, offered, {
      ...wishes,
      onProgress: (sent) => heard.push(sent),
    })

    expect(file).toMatchObject({
      filename: 'rocket.apk',
      size: 3 * MB,
      is_public: true,
      version: '1.2',
      owner: 'alice',
    })
    const download = await server.fetch(`/api/files/${file.file_id}/download`)
    expect(Buffer.from(await download.arrayBuffer()).equals(bytes)).toBe(true)
    expect((await client.projects.byId({ id: project_id })).project.downloads).toMatchObject([
      { file_id: file.file_id, version: '1.2', platform: 'Android' },
    ])
    expect(heard.at(-1)).toBe(3 * MB)
  })

  test('notifies the host what was published, and by whom', async ({
    server,
    folder,
    atWindow: host,
  }) => {
    await publishOffered(host.browser, await offer(server, folder))

    const { activity } = await host.client.activity.now({})
    expect(activity.recent).toMatchObject([
      { direction: 'upload', filename: 'rocket.apk', who: 'host', bytes: 9, outcome: 'done' },
    ])
    const { events } = await host.client.audit.list({})
    expect(events[0]).toMatchObject({
      kind: 'file_upload',
      subject: 'rocket.apk',
      username: 'host',
    })
  })

  test('an offer is good for one file, and for a second try', async ({ server, folder }) => {
    const { alice, client, browser } = await windowOf(server)
    const offered = await offer(server, folder)
    const full = await aFullQuota(server, alice, 5).then(
      () => server.inside.files.ownedBy(alice.id)[0]!,
    )
    await expect(publishOffered(browser, offered)).rejects.toMatchObject({
      code: 'quota_exceeded',
      status: 403,
    })
    await client.files.remove({ id: full.id })

    await expect(publishOffered(browser, offered)).resolves.toMatchObject({ size: 9 })
    await expect(publishOffered(browser, offered)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('reports failures after the first event in the last', async ({ server, folder, log }) => {
    const { browser } = await windowOf(server)
    const offered = await offer(server, folder)
    await server.inside.library.close()

    await expect(publishOffered(browser, offered)).rejects.toMatchObject({
      code: 'read_only',
      status: 503,
    })
    log.takeErrors()
  })

  test('publishes nothing for a person who signs out meanwhile', async ({ server, folder }) => {
    const { client, browser } = await windowOf(server)
    onceStored(server.inside, () => client.accounts.logout({}))

    await expect(publishOffered(browser, await offer(server, folder))).rejects.toMatchObject({
      code: 'sign_in_required',
    })
    expect(await keptBytes(server)).toEqual(NOTHING_KEPT)
  })

  test('a page that leaves cancels it', async ({ server, folder }) => {
    const { browser } = await windowOf(server)
    const leaving = new AbortController()
    const offered = await offer(server, folder, { bytes: randomBytes(40 * MB) })
    const onProgress = () => leaving.abort()

    await expect(
      publishOffered(browser, offered, { onProgress, signal: leaving.signal }),
    ).rejects.toThrow(/abort/)
    await expect.poll(() => keptBytes(server)).toEqual(NOTHING_KEPT)
    expect(readdirSync(folder)).toContain('rocket.apk')
  })
})

describe('a page cannot publish files that were not given to the window', () => {
  test('by any path', async ({ server, folder }) => {
    const { browser } = await windowOf(server)
    await offer(server, folder)
    const guesses = ['a'.repeat(32), '__proto__', 'constructor', 'undefined']

    for (const offer_id of guesses) {
      expect(await replyOf(browser.fetch(path, asking({ offer_id })))).toEqual(problem('not_found'))
    }
    for (const offer_id of [
      '/etc/passwd',
      'file:///etc/passwd',
      '../../etc/passwd',
      `${folder}/rocket.apk`,
      7,
      null,
    ]) {
      expect(await replyOf(browser.fetch(path, asking({ offer_id })))).toMatchObject({
        status: 400,
      })
    }
    const named = asking({ offer_id: 'a'.repeat(32), path: '/etc/passwd', file: '/etc/passwd' })
    expect(await replyOf(browser.fetch(path, named))).toEqual(problem('not_found'))
    expect(await keptBytes(server)).toEqual(NOTHING_KEPT)
  })

  test('an offer is worth nothing outside the window', async ({ server, folder }) => {
    const { alice, browser: atWindow } = await windowOf(server)
    const { browser } = await server.signedIn(alice)
    const offer_id = await offer(server, folder)
    const offered = asking({ offer_id })

    expect(await replyOf(browser.fetch(path, offered))).toEqual(problem('not_found'))
    expect(await replyOf(server.fetchAs(alice)(path, offered))).toEqual(problem('not_found'))
    expect(await replyOf(server.fetch(path, offered))).toEqual(problem('not_found'))
    const foreign = asking({ offer_id }, { origin: 'https://evil.example' })
    expect(await replyOf(atWindow.fetch(path, foreign))).toEqual(problem('foreign_origin'))
    await atWindow.fetch('/api/auth/logout', { method: 'POST' })
    expect(await replyOf(atWindow.fetch(path, offered))).toEqual(problem('sign_in_required'))
    expect(await keptBytes(server)).toEqual(NOTHING_KEPT)
  })
})
