import { expect, test } from 'vitest'
import type { ClusterHost } from '../../../server/contract'
import { behindText, clusterLine, hostStateText } from '../../../server/texts/host/cluster-texts'

test('a host of a cluster is called by what it does, and silent after missed reports', () => {
  const state = (silent_seconds: number) => hostStateText({ role: 'replica', silent_seconds })
  expect([2, 6, 7, 59, 60, 3600, 86_399].map(state)).toEqual([
    ...['Replica', 'Replica', 'Silent for 7 s', 'Silent for 59 s'],
    ...['Silent for 1 min', 'Silent for 1 h', 'Silent for 23 h'],
  ])
  expect([null, 0, 1, 2].map((behind) => behindText({ behind }))).toEqual([
    ...['', 'up to date', '1 change behind', '2 changes behind'],
  ])
})

test('the line about all hosts names those that do not report', () => {
  const host: ClusterHost = {
    ...{
      name: 'a',
      address: null,
      role: 'replica',
      version: '1.0.0',
      behind: 0,
      transfers: 0,
      silent_seconds: 1,
    },
  }
  const silent = (name: string) => ({ ...host, name, silent_seconds: 7 })
  expect(
    [[], [host], [host, host], [host, silent('b')], [host, silent('b'), silent('c')]].map(
      clusterLine,
    ),
  ).toEqual([
    'No host can answer until the database responds.',
    'Only one host is running. No other host can take over.',
    'All 2 hosts run.',
    'b does not report.',
    'b, c do not report.',
  ])
})
