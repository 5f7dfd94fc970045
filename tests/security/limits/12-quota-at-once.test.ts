import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { MB, tierQuota } from '../../../server/contract'
import { rounds } from '../../support/system/rounds'
import { aFullQuota } from '../../support/world/factories'
import { keptBytes } from '../../support/kept-bytes'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { sendUpload, uploadForm } from '../../support/world/upload'
import type { UserRecord } from '../../../server/data/records/account-records'

const ROUNDS = rounds(25, 3)
const AT_ONCE = 50
/** Much less than the completed uploads send in all, so that some are always refused. */
const ROOM = 5.5 * MB

/** An upload that its sender may cancel at any moment. Returns its status, or 'left'. */
async function uploadOrLeave(
  server: TestServer,
  user: UserRecord,
  mayLeave: boolean,
): Promise<number | 'left'> {
  const leaving = new AbortController()
  const form = uploadForm(new File([new Uint8Array(randomInt(1, MB))], 'part.bin'))
  const fetch = server.fetchAs(user)
  const uploading = sendUpload((to, init) => fetch(to, { ...init, signal: leaving.signal }), form)
  if (mayLeave) void pause(randomInt(100)).then(() => leaving.abort())
  return uploading.then(
    async (response) => (await response.arrayBuffer(), response.status),
    () => 'left' as const,
  )
}

/** Looks again and again how much is used; answers the most. */
function watchUse({ inside }: TestServer, { id }: UserRecord): () => number {
  let most = 0
  const watching = setInterval(() => (most = Math.max(most, inside.files.usedBy(id))))
  return () => (clearInterval(watching), most)
}

test(
  `${ROUNDS} times ${AT_ONCE} uploads at once, half of them cancelled: never more than the quota`,
  { timeout: 60_000 + ROUNDS * 10_000 },
  async ({ server, alice }) => {
    await aFullQuota(server, alice, ROOM)
    await server.keyOf(alice)
    const outcomes = new Set<number | 'left'>()
    for (let round = 0; round < ROUNDS; round++) {
      const most = watchUse(server, alice)
      const all = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, n) => uploadOrLeave(server, alice, n % 2 === 0)),
      )
      for (const one of all) outcomes.add(one)
      await expect.poll(() => server.inside.quota.held()).toBe(0)
      expect(most()).toBeLessThanOrEqual(tierQuota.Free)
      await expectSums(server, alice)
      await forgetAll(server, alice)
    }
    expect([...outcomes].sort()).toEqual([201, 403, 'left'])
  },
)

/** The reported use is the sum of the files and within the quota; the disk has nothing else. */
async function expectSums(server: TestServer, user: UserRecord): Promise<void> {
  const { used, quota } = (await server.as(user).storage.stats({})).stats
  const sizes = server.inside.files.ownedBy(user.id).map(({ size }) => size)
  expect(used).toBe(sizes.reduce((sum, size) => sum + size, 0))
  expect(used).toBeLessThanOrEqual(quota)
  // The record that fills the quota has no bytes.
  await expect
    .poll(() => keptBytes(server))
    .toEqual({ drafts: 0, blobs: sizes.length - 1, reserved: 0 })
}

async function forgetAll(server: TestServer, user: UserRecord): Promise<void> {
  const client = server.as(user)
  for (const { id, filename } of server.inside.files.ownedBy(user.id)) {
    if (filename !== 'part.bin') continue
    await client.files.remove({ id })
    await client.trash.remove({ id })
  }
}

test('unfinished uploads reserve bytes, never beyond the quota', async ({ server, alice }) => {
  await aFullQuota(server, alice, ROOM)
  const fetch = server.fetchAs(alice)
  const tus = { 'tus-resumable': '1.0.0' }
  const metadata = `filename ${Buffer.from('part.bin').toString('base64')}`
  const headers = { ...tus, 'upload-length': `${MB}`, 'upload-metadata': metadata }

  const replies = await Promise.all(
    Array.from({ length: AT_ONCE }, () => fetch('/api/uploads', { method: 'POST', headers })),
  )

  const begun = replies.filter(({ status }) => status === 201)
  expect(begun).toHaveLength(Math.floor(ROOM / MB))
  expect(replies.filter(({ status }) => status === 403)).toHaveLength(AT_ONCE - begun.length)
  expect(server.inside.quota.held(alice.id)).toBe(begun.length * MB)
  for (const reply of begun)
    await fetch(reply.headers.get('location') ?? '', { method: 'DELETE', headers: tus })
  expect(server.inside.quota.held()).toBe(0)
  expect(await keptBytes(server)).toEqual({ drafts: 0, blobs: 0, reserved: 0 })
})
