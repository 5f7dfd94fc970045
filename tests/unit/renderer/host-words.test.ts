import { expect, test } from 'vitest'
import type { ClusterHost } from '../../../server/contract'
import { isOnline, presence } from '../../../renderer/features/activity/host-words'

test('the lines about a cluster say what is wrong with its database and with the bucket of its builds', () => {
  const host: ClusterHost = {
    ...{ name: 'a', address: null, role: 'writer', version: '1.0.0', behind: null, transfers: 0, silent_seconds: 1 },
  }
  const cluster = { sharing: true, awaited: [], reachable: true, internet: null, on_battery: false, hosts: [host] }
  const lines = ([null, 'unreachable', 'full'] as const).map((problem) =>
    presence({ ...cluster, blobs_bucket: { problem } }),
  )
  expect(lines).toEqual([
    'It is the only host that runs: no other takes its place.',
    'The bucket does not answer. No build can be downloaded or uploaded now.',
    'The bucket is full. No build can be uploaded now.',
  ])
  expect(isOnline(cluster)).toBe(true)
  expect(isOnline({ ...cluster, hosts: [] })).toBe(false)
  expect(presence({ ...cluster, sharing: false, hosts: [], blobs_bucket: { problem: 'full' } })).toBe(
    'All hosts answer 503 until the database answers them again.',
  )
})
