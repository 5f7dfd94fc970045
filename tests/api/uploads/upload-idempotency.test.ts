import { describe, expect } from 'vitest'
import { keptBytes } from '../../support/kept-bytes'
import { problem, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { DAY, MINUTE } from '../../support/world/test-clock'
import type { UserRecord } from '../../../server/data/records/account-records'
import { collectionAs } from '../../support/data/temp-library'

const send = (server: TestServer, user: UserRecord, key: string, path = 'a.txt', body = 'bytes') =>
  server.fetchAs(user)(`/api/files/upload/${path}`, {
    ...{ method: 'PUT', body, headers: { 'idempotency-key': key } },
  })
const put = (...args: Parameters<typeof send>) => replyOf(send(...args))

describe('an upload with an Idempotency-Key', () => {
  test('is done once, and answered again as it was', async ({ server, clock, alice }) => {
    const first = await put(server, alice, 'job-17')
    await server
      .as(alice)
      .files.setVisibility({ id: (first.body as { file_id: string }).file_id, is_public: true })
    clock.advance(MINUTE)

    expect(await put(server, alice, '"job-17"')).toEqual(first)
    expect(first).toMatchObject({ status: 201, body: { file: { is_public: false } } })
    expect(server.inside.files.ownedBy(alice.id)).toHaveLength(1)
  })

  test('is a form too, with any boundary', async ({ server, alice }) => {
    const send = (boundary: string) =>
      replyOf(
        server.fetchAs(alice)('/api/files/upload', {
          method: 'POST',
          headers: {
            'idempotency-key': 'form',
            'content-type': `multipart/form-data; boundary=${boundary}`,
          },
          body: `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nx\r\n--${boundary}--`,
        }),
      )

    expect(await send('one')).toEqual(await send('two'))
    expect((await keptBytes(server)).blobs).toBe(1)
  })

  test('refuses the key of a request with another input or name', async ({ server, alice }) => {
    await put(server, alice, 'job-17')
    const others = [['b.txt'], ['a.txt', 'more bytes'], ['a.txt?version=2']]

    for (const other of others)
      expect(await put(server, alice, 'job-17', ...other)).toEqual(
        problem('key_reused', 'Idempotency-Key'),
      )
  })

  test('is done again once its file was deleted, or left the project that the request or its key names', async ({
    server,
    alice,
    project: { project_id: id },
  }) => {
    const { files, projects } = server.as(alice)
    const grant = { scopes: ['upload'], projectId: id } as const
    const bound = await server.inside.apiKeys.create(alice.id, 'bound', null, grant)
    for (const [path, key] of [
      [`a.txt?project_id=${id}`, await server.keyOf(alice)],
      ['a.txt', bound.key],
    ] as const) {
      const send = async () => {
        const headers = { 'x-api-key': key, 'idempotency-key': 'job-17' + path }
        const sent = await server.fetch(`/api/files/upload/${path}`, {
          method: 'PUT',
          body: 'bytes',
          headers,
        })
        return ((await sent.json()) as { file_id: string }).file_id
      }
      const removed = await send()
      await projects.unlink({ id, downloadId: removed })
      const deleted = await send()
      expect(deleted).not.toBe(removed)
      await files.remove({ id: deleted })

      const last = await send()
      expect(await send()).toBe(last)
      expect((await projects.byId({ id })).project.downloads.map(({ file_id }) => file_id)).toEqual(
        [last],
      )
      await projects.unlink({ id, downloadId: last })
    }
  })

  test('is its user’s own', async ({ server, alice, bob }) => {
    await put(server, alice, 'job-17')

    expect(await put(server, bob, 'job-17')).toMatchObject({
      status: 201,
      body: { file: { owner: 'bob' } },
    })
  })

  test('says when to retry while the first request runs', async ({ server, alice }) => {
    const first = Promise.withResolvers<undefined>()
    const request = { key: 'job-17', fingerprint: '' }
    const running = server.inside.idempotency.run(alice.id, request, () => first.promise)
    const second = await send(server, alice, 'job-17')
    expect([second.status, second.headers.get('retry-after')]).toEqual([409, '5'])
    first.resolve(undefined)
    await running
  })

  test('a failed upload may be tried again', async ({ server, alice }) => {
    expect(await put(server, alice, 'job-17', 'a.txt?project=nowhere')).toMatchObject({
      status: 404,
    })
    expect(await put(server, alice, 'job-17', 'a.txt')).toMatchObject({ status: 201 })
  })

  test('a blank key is none, and what cannot be a key is refused', async ({ server, alice }) => {
    for (const blank of ['', '', '   ', '   ']) await put(server, alice, blank)

    expect((await keptBytes(server)).blobs).toBe(4)
    for (const key of ['two words', 'x'.repeat(256), '"open'])
      expect(await put(server, alice, key)).toEqual(problem('invalid_input', 'Idempotency-Key'))
  })

  test('is forgotten after a day', async ({ server, clock, alice }) => {
    await put(server, alice, 'job-17')
    clock.advance(DAY)

    expect(await put(server, alice, 'job-17', 'b.txt')).toMatchObject({ status: 201 })
    clock.advance(DAY)
    await server.inside.idempotency.sweep(clock.now())
    expect(server.inside.library.collection('idempotencyKeys').size).toBe(0)
  })

  test('is known after a restart, for the newest thousand', async ({ server, alice }) => {
    const first = await put(server, alice, 'job-0')
    await server.inside.library.transact((tx) => {
      const keys = collectionAs<{ id: string }>(server.inside.library, 'idempotencyKeys')
      const [one] = [...keys.values()]
      for (let n = 1; n < 1000; n++)
        tx.put(keys, `${alice.id} job-${n}`, { ...one!, id: `${alice.id} job-${n}` })
    })
    const headers = { 'x-api-key': await server.keyOf(alice), 'idempotency-key': 'job-0' }
    await server.close()
    const again = await server.restart()
    const send = (key: string) =>
      replyOf(
        fetch(`${again.url}/api/files/upload/a.txt`, {
          ...{ method: 'PUT', body: 'bytes', headers: { ...headers, 'idempotency-key': key } },
        }),
      )

    expect(await send('job-0')).toEqual(first)
    expect(await send('newest')).toMatchObject({ status: 201 })
    expect(again.inside.library.collection('idempotencyKeys').size).toBe(1000)
    expect(
      again.inside.idempotency.answered(alice.id, { key: 'job-0', fingerprint: '' }),
    ).toBeUndefined()
  })
})
