import { describe, expect } from 'vitest'
import { MANY_MAX } from '../../../server/contract'
import { aFile, aFullQuota, aProject, aUser } from '../../support/world/factories'
import { refusal } from '../../support/network/reply'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

/** Alice with two files, and bob with one that she can see. */
async function aWorld(server: TestServer) {
  const [alice, bob] = [await aUser(server, 'alice'), await aUser(server, 'bob')]
  const [one, two] = [await aFile(server, alice), await aFile(server, alice)]
  const theirs = await aFile(server, bob, { is_public: true })
  const hidden = await aFile(server, bob)
  const ids = [one, two, theirs, hidden].map(({ file_id }) => file_id)
  return {
    alice,
    bob,
    as: server.as(alice),
    asBob: server.as(bob),
    ids,
    mine: ids.slice(0, 2),
    rest: ids.slice(2),
  }
}

/** What alice sees of bob's visible file, and of his hidden one. */
const refused = ([seen, hidden]: string[]) => [
  { id: seen, code: 'forbidden', error: expect.any(String) as string },
  { id: hidden, code: 'not_found', error: 'File not found' },
]

describe('files.setVisibilityOfMany', () => {
  test('changes those that are the caller’s, and says why not the others', async ({ server }) => {
    const { as, asBob, ids, mine, rest } = await aWorld(server)

    expect(await as.files.setVisibilityOfMany({ file_ids: ids, is_public: true })).toEqual({
      done: mine,
      failed: refused(rest),
    })
    expect((await as.files.mine({ visibility: 'public' })).total).toBe(2)
    expect((await asBob.files.mine({ visibility: 'public' })).total).toBe(1)
  })
})

describe('trash.removeMany', () => {
  test('deletes items of the caller forever', async ({ server }) => {
    const { as, asBob, mine } = await aWorld(server)
    await as.files.removeMany({ file_ids: mine })

    expect((await asBob.trash.removeMany({ trash_ids: mine })).done).toEqual([])
    expect(await as.trash.removeMany({ trash_ids: mine })).toEqual({ done: mine, failed: [] })
    expect((await as.trash.list({})).total).toBe(0)
  })
})

describe('files.removeMany and trash.restoreMany', () => {
  test('delete them, and bring them back', async ({ server }) => {
    const { as, asBob, ids, mine, rest } = await aWorld(server)

    expect(await as.files.removeMany({ file_ids: [...ids, ids[0]!] })).toEqual({
      done: mine,
      failed: refused(rest),
    })
    expect((await as.files.mine({})).total).toBe(0)
    expect((await asBob.files.mine({})).total).toBe(2)
    expect(await asBob.trash.restoreMany({ trash_ids: mine })).toMatchObject({
      done: [],
      failed: [{}, {}],
    })
    expect(await as.trash.restoreMany({ trash_ids: mine })).toEqual({ done: mine, failed: [] })
    expect((await as.files.mine({})).total).toBe(2)
  })

  test('never exceed the quota', async ({ server }) => {
    const { alice, as, mine } = await aWorld(server)
    await as.files.removeMany({ file_ids: mine })
    await aFullQuota(server, alice, 1)

    const { done, failed } = await as.trash.restoreMany({ trash_ids: mine })

    expect(done).toEqual([])
    expect(failed.map(({ code }) => code)).toEqual(['quota_exceeded', 'quota_exceeded'])
  })

  test(`takes ${MANY_MAX} at most, and one at least`, async ({ server }) => {
    const { as } = await aWorld(server)
    const ids = Array.from({ length: MANY_MAX }, (_, index) => `none-${index}-xx`)

    expect((await as.files.removeMany({ file_ids: ids })).failed).toHaveLength(MANY_MAX)
    await expect(as.files.removeMany({ file_ids: [...ids, 'one-more'] })).rejects.toMatchObject(
      refusal('invalid_input', 'file_ids'),
    )
    await expect(as.files.removeMany({ file_ids: [] })).rejects.toMatchObject(
      refusal('invalid_input', 'file_ids'),
    )
  })
})

describe('projects.linkMany', () => {
  test('offers each once', async ({ server }) => {
    const { alice, as, ids, mine, rest } = await aWorld(server)
    const { project_id: id } = await aProject(server, alice)
    await as.projects.link({ id, file_id: mine[0]! })

    const { done, failed } = await as.projects.linkMany({ id, file_ids: ids, version: '2.0' })

    expect(done).toEqual([mine[1]])
    expect(failed).toEqual([
      { id: mine[0], code: 'taken', error: expect.any(String) as string },
      ...refused(rest),
    ])
    const { downloads } = (await as.projects.byId({ id })).project
    expect(downloads.map(({ file_id, version }) => [file_id, version])).toEqual([
      [mine[1], '2.0'],
      [mine[0], null],
    ])
  })
})
