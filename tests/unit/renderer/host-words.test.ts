import { expect, test } from 'vitest'
import type { ClusterHost } from '../../../server/contract'
import { isOnline, presence, stateLine } from '../../../renderer/features/activity/host-words'

test('the lines about a cluster say what is wrong with its database and with the bucket of its builds', () => {
  const host: ClusterHost = {
    ...{
      name: 'a',
      address: null,
      role: 'primary',
      version: '1.0.0',
      behind: null,
      transfers: 0,
      silent_seconds: 1,
    },
  }
  const cluster = {
    sharing: true,
    awaited: [],
    reachable: true,
    internet: null,
    on_battery: false,
    hosts: [host],
  }
  const totals = { downloads: 0, uploads: 0, downloaders: 0, speed: 0 }
  const lines = ([null, 'unreachable', 'full'] as const).map((problem) => {
    const activity = { ...cluster, blobs_bucket: { problem } }
    return [stateLine({ ...activity, totals }), presence(activity), isOnline(activity)]
  })
  expect(lines).toEqual([
    [
      'Online · No transfers right now',
      'Only one host is running. No other host can take over.',
      true,
    ],
    ['The bucket does not answer', 'No build can be downloaded or uploaded now.', false],
    ['The bucket is full', 'No build can be uploaded now.', false],
  ])
  expect(isOnline({ ...cluster, blobs_bucket: null, hosts: [] })).toBe(false)
  expect(
    presence({ ...cluster, sharing: false, hosts: [], blobs_bucket: { problem: 'full' } }),
  ).toBe('No host can answer until the database responds.')
})
