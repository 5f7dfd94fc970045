import { describe, expect } from 'vitest'
import { aFile } from '../../support/world/factories'
import { problem, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { DAY } from '../../support/world/test-clock'
import type { UserRecord } from '../../../server/data/records/account-records'

async function aDeletedFile(server: TestServer, owner: UserRecord) {
  const file = await aFile(server, owner, { filename: 'rocket.apk', bytes: '12345' })
  await server.as(owner).files.remove({ id: file.file_id })
  return file
}

describe('trash.list', () => {
  test('returns what the caller has deleted', async ({ server, clock, alice, bob, project }) => {
    const file = await aDeletedFile(server, alice)
    await aDeletedFile(server, bob)
    await server.as(alice).projects.remove({ id: project.slug })
    const inAWeek = (time: Date) => new Date(time.getTime() + 7 * DAY).toISOString()

    const { status, body } = await replyOf(server.fetchAs(alice)('/api/trash'))

    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      items: [
        {
          trash_id: project.project_id,
          kind: 'project',
          name: 'Rocket',
          size: 6,
          deleted_at: clock.now().toISOString(),
          expires_at: inAWeek(clock.now()),
        },
        {
          trash_id: file.file_id,
          kind: 'file',
          name: 'rocket.apk',
          size: 5,
          deleted_at: file.uploaded_at,
          expires_at: inAWeek(new Date(file.uploaded_at)),
        },
      ],
      total: 2,
      size: 11,
    })
  })
})

describe.each([
  ['trash.restore', 'POST', '/restore'],
  ['trash.remove', 'DELETE', ''],
] as const)('%s', (_call, method, path) => {
  test('answers success, once', async ({ server, alice }) => {
    const { file_id } = await aDeletedFile(server, alice)
    const ask = () => replyOf(server.fetchAs(alice)(`/api/trash/${file_id}${path}`, { method }))

    expect(await ask()).toEqual({ status: 200, body: { success: true } })
    expect(await ask()).toEqual(problem('not_found'))
  })
})

describe('trash.empty', () => {
  test('deletes what the caller has deleted, nothing else', async ({ server, alice, bob }) => {
    await aDeletedFile(server, alice)
    await aDeletedFile(server, alice)
    await aDeletedFile(server, bob)

    const { status, body } = await replyOf(
      server.fetchAs(alice)('/api/trash', { method: 'DELETE' }),
    )

    expect({ status, body }).toEqual({ status: 200, body: { success: true, deleted: 2 } })
    expect((await server.as(alice).trash.list({})).total).toBe(0)
    expect((await server.as(bob).trash.list({})).total).toBe(1)
  })
})
