import { expect, test } from 'vitest'
import { behindText, hostStateText } from '../../../server/texts/host/cluster-texts'

test('a host of a cluster is called by what it does, and silent after missed reports', () => {
  const state = (silent_seconds: number) => hostStateText({ role: 'reader', silent_seconds })
  expect([2, 6, 7, 59, 60, 3600, 86_399].map(state)).toEqual([
    ...['Reads', 'Reads', 'Silent for 7 s', 'Silent for 59 s'],
    ...['Silent for 1 min', 'Silent for 1 h', 'Silent for 23 h'],
  ])
  expect([null, 0, 1, 2].map((behind) => behindText({ behind }))).toEqual([
    ...['', 'up to date', '1 change behind', '2 changes behind'],
  ])
})
