import { randomBytes } from 'node:crypto'
import { describe, expect } from 'vitest'
import { basic, cookiesOf, PASSWORD, passwordForm } from '../../support/network/link-password'
import { metadata, TusClient } from '../../support/network/tus'
import { aHollowFile, aProject, aUser } from '../../support/world/factories'
import { test as base } from '../../support/world/http'
import { DAY, HOUR } from '../../support/world/test-clock'
import type { TestServer } from '../../support/world/test-server'
import { MB } from '../../../server/contract/limits'

/** A file request of alice's, and what its senders do. */
const test = base.extend<{ at: Awaited<ReturnType<typeof aRequest>> }>({
  at: async ({ server }, use) => use(await aRequest(server)),
})

async function aRequest(server: TestServer, fields: object = {}) {
  const alice = await aUser(server, 'alice')
  const owner = server.as(alice)
  const { file_request: made } = await owner.fileRequests.create({ name: 'Save games', ...fields })
  const path = new URL(made.url ?? '').pathname
  const requestId = made.request_id
  const listed = async () => (await owner.fileRequests.list({})).file_requests[0]
  const received = async () => (await owner.files.mine({ received: 'true' })).files
  return { alice, owner, made, path, requestId, listed, received }
}

/** Sends a file as a form does. */
function send(
  server: TestServer,
  path: string,
  { name = 'save.dat', bytes = 'level 3', from = 'Kim', message = '', headers = {} } = {},
): Promise<Response> {
  const body = new FormData()
  body.set('from', from)
  body.set('message', message)
  body.set('file', new Blob([bytes]), name)
  return server.fetch(`${path}/files`, { method: 'POST', body, headers, redirect: 'manual' })
}

/** Speaks tus below a file request. */
function tusOf(server: TestServer, path: string, headers: Record<string, string> = {}) {
  const client = new TusClient((to, init) =>
    server.fetch(to.replace(/^\/api/, path), {
      ...init,
      headers: { ...(init.headers as Record<string, string>), ...headers },
    }),
  )
  const about = { 'upload-metadata': metadata({ filename: '../big.dat', from: 'Kim' }) }
  return { client, begin: (size: number) => client.begin(size, about), about }
}

const statuses = (replies: readonly Response[]) => replies.map(({ status }) => status)

describe('fileRequests.create, fileRequests.list, fileRequests.send, fileRequests.markSeen', () => {
  test('bring a file of a person without an account to Received, private and new', async ({
    server,
    at: { owner, path, listed, received },
  }) => {
    expect(path).toMatch(/^\/u\/[\w-]{22}$/)
    const page = await server.fetch(path)
    expect([page.status, page.headers.get('x-robots-tag')]).toEqual([200, 'noindex, nofollow'])
    expect(await page.text()).toMatch(/alice.*asks you for files.*Save games/s)

    const sent = await send(server, path, { message: 'It crashes here.' })
    expect([sent.status, sent.headers.get('location')]).toEqual([302, `${path}/sent`])
    expect(await (await server.fetch(`${path}/sent`)).text()).toContain('Your file has arrived')

    const from = { from: 'Kim', message: 'It crashes here.', request: 'Save games' }
    const [file] = await received()
    expect(file).toMatchObject({
      ...{ filename: 'save.dat', is_public: false, owner: 'alice' },
      received: { ...from, is_new: true },
    })
    expect(await listed()).toMatchObject({ files: 1, bytes: 7, active: true, most_files: 20 })
    expect((await server.fetch(`/api/files/${file?.file_id}`)).status).toBe(404)

    expect((await owner.fileRequests.list({})).new_files).toBe(1)
    await owner.fileRequests.markSeen({})
    expect((await owner.fileRequests.list({})).new_files).toBe(0)
    expect(await received()).toMatchObject([{ received: { is_new: false } }])
  })

  test('name hostile names harmlessly, keep equal names apart, and refuse empty files', async ({
    server,
    at: { path, received },
  }) => {
    const names = ['../../etc/passwd', 'cod\u202Egpj.exe', `${'x'.repeat(400)}.dat`]
    for (const name of [...names, 'save.dat', 'save.dat'])
      expect((await send(server, path, { name })).status).toBe(302)
    const stored = (await received()).map(({ filename }) => filename)
    expect(stored).toHaveLength(5)
    for (const name of stored) expect(name).toMatch(/^[\w.-]{1,255}$/)

    expect((await send(server, path, { bytes: '' })).status).toBe(400)
    expect((await send(server, path, { from: ' ' })).status).toBe(400)
    const html = { accept: 'text/html' }
    const refused = await send(server, path, { bytes: '', headers: html })
    expect(refused.headers.get('location')).toBe(`${path}?problem=invalid_input`)
    expect(await received()).toHaveLength(5)
  })

  test('are for their owner alone, who may name only own projects', async ({
    server,
    bob,
    at: { requestId, owner },
  }) => {
    const others = server.as(bob).fileRequests
    expect((await others.list({})).file_requests).toEqual([])
    for (const call of [others.end({ requestId }), others.update({ requestId, name: 'Mine' })])
      await expect(call).rejects.toMatchObject({ code: 'not_found' })
    const { project_id } = await aProject(server, bob, { is_public: true })
    const theirs = owner.fileRequests.create({ name: 'Logs', project_id })
    await expect(theirs).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('tell the webhooks of the project', async ({ server, at: { alice, owner } }) => {
    const { project_id } = await aProject(server, alice, { title: 'Rocket' })
    const hook = { name: 'CI', url: 'http://127.0.0.1:9/', events: ['file.received' as const] }
    const { webhook } = await owner.webhooks.create({ id: project_id, ...hook })
    const { file_request } = await owner.fileRequests.create({ name: 'Logs', project_id })
    await send(server, new URL(file_request.url ?? '').pathname)

    const about = { id: project_id, webhookId: webhook.webhook_id }
    const { deliveries } = await owner.webhooks.deliveries(about)
    const summary = 'Kim sent save.dat for Rocket'
    expect(deliveries).toMatchObject([{ event: 'file.received', summary }])
  })
})

describe('limits', () => {
  test('give the last place to one of ten at once, and answer then as a closed link', async ({
    server,
    at: { owner, requestId, path, listed },
  }) => {
    await owner.fileRequests.update({ requestId, most_files: 1 })
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => send(server, path, { bytes: 'x'.repeat(200_000) })),
    )
    expect(statuses(replies).filter((status) => status === 302)).toHaveLength(1)
    expect(await listed()).toMatchObject({ files: 1, active: false })
    expect((await server.fetch(path)).status).toBe(404)
  })

  test('hold a place for an unfinished upload, for a day after its last byte', async ({
    server,
    clock,
    at: { owner, requestId, path },
  }) => {
    await owner.fileRequests.update({ requestId, most_files: 1 })
    const { client, begin } = tusOf(server, path)
    const address = await begin(4)
    await client.patch(address, 0, 'ab')
    expect((await send(server, path)).status).toBe(403)

    clock.advance(DAY + HOUR)
    expect((await client.head(address)).status).toBe(410)
    await server.inside.resumable.sweep()
    expect((await send(server, path)).status).toBe(302)
  })

  test('keep half of the storage for the owner, and name it to no sender', async ({
    server,
    at: { alice, owner, path, requestId },
  }) => {
    const { begin, client, about } = tusOf(server, path)
    await begin(30 * MB)
    const refused = await client.create(30 * MB, about)
    expect([refused.status, await refused.text()]).toEqual([
      403,
      expect.not.stringContaining('torage'),
    ])
    expect((await send(server, path, { bytes: 'x'.repeat(20.1 * MB) })).status).toBe(403)

    await owner.fileRequests.update({ requestId, most_bytes: 30 * MB + 100 })
    expect((await send(server, path, { bytes: 'x'.repeat(101) })).status).toBe(403)
    await owner.fileRequests.update({ requestId, most_bytes: null })
    await aHollowFile(server, alice, { filename: 'mine.zip', size: 70 * MB })
    expect((await send(server, path)).status).toBe(403)
  })

  test('take only the kinds that the owner names, by form and by tus', async ({
    server,
    at: { owner, requestId, path, received },
  }) => {
    const { file_request } = await owner.fileRequests.update({ requestId, kinds: ['.SAV', 'zip'] })
    expect(file_request.kinds).toEqual(['sav', 'zip'])
    const page = await (await server.fetch(path)).text()
    expect(page).toContain('Only .sav and .zip')
    expect(page).toContain('accept=".sav,.zip"')

    const refused = await send(server, path, { name: 'run.exe' })
    const error = 'This link takes only .sav and .zip files'
    expect([refused.status, await refused.json()]).toMatchObject([400, { error, field: 'file' }])
    expect((await send(server, path, { name: 'sav' })).status).toBe(400)
    expect((await send(server, path, { name: 'Level 3.SAV' })).status).toBe(302)
    const { client } = tusOf(server, path)
    const begin = (filename: string) =>
      client.create(1, { 'upload-metadata': metadata({ filename, from: 'Kim' }) })
    expect(statuses([await begin('run.exe'), await begin('all.zip')])).toEqual([400, 201])

    for (const kinds of [['../sav'], ['a b'], Array.from({ length: 21 }, (_, n) => `k${n}`)])
      await expect(owner.fileRequests.update({ requestId, kinds })).rejects.toMatchObject({
        code: 'invalid_input',
        field: 'kinds',
      })
    await owner.fileRequests.update({ requestId, kinds: [] })
    expect((await send(server, path, { name: 'run.exe' })).status).toBe(302)
    expect(await received()).toHaveLength(2)
  })

  const limited = test.extend({ config: { rateLimits: true }, settings: { uploads_per_hour: 3 } })

  limited('count the files of a network', async ({ server, at: { path } }) => {
    for (let sent = 0; sent < 3; sent++) expect((await send(server, path)).status).toBe(302)
    expect((await send(server, path)).status).toBe(429)
    const { client, about } = tusOf(server, path)
    expect((await client.create(1, about)).status).toBe(429)
  })
})

describe('fileRequests.startUpload, fileRequests.uploadInfo, fileRequests.append, fileRequests.discard', () => {
  test('resume after a restart, and count the file once', async ({ server, at }) => {
    const { path, alice } = at
    const first = tusOf(server, path)
    const address = await first.begin(4)
    await first.client.patch(address, 0, 'ab')
    await server.close()

    const again = await server.restart()
    const { client } = tusOf(again, path)
    expect((await client.head(address)).headers.get('upload-offset')).toBe('2')
    const last = await client.patch(address, 2, 'cd')
    expect([last.status, last.headers.get('slipway-file-id')]).toEqual([204, null])
    expect((await client.head(address)).status).toBe(200)

    const owner = again.as(alice)
    const { files } = await owner.files.mine({ received: 'true' })
    expect(files).toMatchObject([{ filename: 'big.dat', size: 4, received: { from: 'Kim' } }])
    expect((await owner.fileRequests.list({})).file_requests).toMatchObject([{ files: 1 }])
  })

  test('show the owner no upload, and take none through another request', async ({
    server,
    at: { path, owner, received },
  }) => {
    const { client, begin } = tusOf(server, path)
    const address = await begin(4)
    const id = address.split('/').at(-1) ?? ''
    expect((await owner.uploads.list({})).uploads).toEqual([])
    await expect(owner.uploads.info({ id })).rejects.toMatchObject({ code: 'not_found' })

    const other = await owner.fileRequests.create({ name: 'Other' })
    const elsewhere = address.replace(path, new URL(other.file_request.url ?? '').pathname)
    expect((await client.patch(elsewhere, 0, 'abcd')).status).toBe(404)
    expect((await client.discard(address)).status).toBe(204)
    expect((await client.head(address)).status).toBe(404)
    expect(await received()).toEqual([])
  })
})

describe('fileRequests.update, fileRequests.renew, fileRequests.end', () => {
  test('change name, end, limits and password of a request', async ({
    server,
    clock,
    at: { owner, requestId, path },
  }) => {
    const expires_at = new Date(clock.now().getTime() + 2 * DAY).toISOString()
    const limits = { most_files: 5, most_bytes: 1000 }
    const change = { requestId, name: 'Logs', expires_at, password: PASSWORD, ...limits }
    const { file_request: changed } = await owner.fileRequests.update(change)
    expect(changed).toMatchObject({ name: 'Logs', expires_at, has_password: true, ...limits })
    expect((await send(server, path)).status).toBe(404)
    expect((await send(server, path, { headers: basic() })).status).toBe(302)

    const open = { requestId, password: null, most_bytes: null }
    const { file_request: opened } = await owner.fileRequests.update(open)
    expect(opened).toMatchObject({ name: 'Logs', has_password: false, most_bytes: null, files: 1 })
  })

  test('cut uploads at once; files that have arrived stay', async ({ server, at }) => {
    const { owner, path, received, requestId } = at
    await send(server, path)

    for (const change of ['renew', 'end'] as const) {
      const { url } = (await at.listed()) ?? {}
      const { client, begin } = tusOf(server, new URL(url ?? '').pathname)
      const address = await begin(1000)
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
      const writer = writable.getWriter()
      const running = client.patch(address, 0, readable).catch(() => undefined)
      await writer.write(new Uint8Array(10))
      await expect.poll(() => server.inside.transfers.count).toBe(1)
      await owner.fileRequests[change]({ requestId })
      await expect.poll(() => server.inside.transfers.count).toBe(0)
      await writer.close().catch(() => undefined)
      await running
      expect((await client.head(address)).status).toBe(404)
    }
    expect(await received()).toHaveLength(1)
    expect(server.inside.library.collection('uploads').size).toBe(0)
  })
})

/** What takes no file, and must not tell why. */
const closed: Record<
  string,
  (server: TestServer, at: Awaited<ReturnType<typeof aRequest>>) => Promise<string>
> = {
  expired: async (server, { path }) => {
    server.clock.advance(8 * DAY)
    return Promise.resolve(path)
  },
  ended: async (_server, { path, owner, requestId }) => {
    await owner.fileRequests.end({ requestId })
    return path
  },
  'of an old address': async (_server, { path, owner, requestId }) => {
    await owner.fileRequests.renew({ requestId })
    return path
  },
  'with all its files': async (server, { path, owner, requestId }) => {
    await owner.fileRequests.update({ requestId, most_files: 1 })
    await send(server, path)
    return path
  },
  'of a disabled account': async (server, { path, alice }) => {
    await server.inside.users.change(alice.id, { disabled: true })
    return path
  },
  'with a wrong password': async (_server, { path, owner, requestId }) => {
    await owner.fileRequests.update({ requestId, password: PASSWORD })
    return path
  },
}

describe('fileRequests.unlock', () => {
  test.for(Object.keys(closed))(
    'a request %s answers as one that never was',
    async (name, { server }) => {
      const path = await closed[name]!(server, await aRequest(server))
      const headers = basic('wrong')

      const ask = async (at: string) => {
        const { client, about } = tusOf(server, at, headers)
        const upload = `${at}/uploads/${'u'.repeat(12)}`
        const replies = [
          ...(name.endsWith('password') ? [] : [await server.fetch(at)]),
          await server.fetch(`${at}/unlock`, passwordForm('guess')),
          await send(server, at, { headers }),
          await client.create(1, about),
          await client.head(upload),
          await client.patch(upload, 0, 'x'),
          await client.discard(upload),
        ]
        return Promise.all(
          replies.map(async (reply) => {
            const to = reply.headers.get('location')?.replace(at, '')
            return [reply.status, to, (await reply.text()).replaceAll(at, '')]
          }),
        )
      }

      const unknown = `/u/${randomBytes(16).toString('base64url')}`
      expect(await ask(path)).toEqual(await ask(unknown))
    },
  )

  test('opens a request by a form; the page names only who asks before it', async ({
    server,
    at: { path, owner, requestId },
  }) => {
    await owner.fileRequests.update({ requestId, password: PASSWORD })
    const asked = await server.fetch(path)
    expect([asked.status, await asked.text()]).toEqual([403, expect.not.stringMatching(/Save/)])

    const headers = cookiesOf(await server.fetch(`${path}/unlock`, passwordForm()))
    expect((await send(server, path, { headers })).status).toBe(302)
  })
})

test('a file that goes to another owner loses what its sender wrote', async ({ server, at }) => {
  await send(server, at.path)
  const [file] = await at.received()
  const mia = await aUser(server, 'mia')
  const { project_id } = await aProject(server, mia)
  const added = { id: project_id, username: 'alice', role: 'maintainer' as const }
  await server.as(mia).collaborators.add(added)
  await at.owner.projects.link({ id: project_id, file_id: file?.file_id ?? '' })
  expect((await server.as(mia).files.mine({})).files).toMatchObject([{ received: null }])
})
