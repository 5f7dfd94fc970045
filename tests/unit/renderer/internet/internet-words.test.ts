import { describe, expect, test } from 'vitest'
import { chainOf } from '../../../../renderer/features/internet/internet-chain'
import {
  certificateText,
  countTexts,
  crashText,
} from '../../../../renderer/features/internet/internet-words'
import { aTunnel, aView } from './internet-view'

const now = new Date('2026-11-22T12:00:00.000Z')

test('counts the days of a certificate', () => {
  const until = (date: string) => aView({ certificate: { until: date, problem: null } })
  expect(certificateText(until('2026-11-28T18:00:00.000Z'), now)).toBe(
    'Certificate valid for 6 more days. Slipway renews it.',
  )
  expect(certificateText(until('2026-11-23T13:00:00.000Z'), now)).toContain('1 more day.')
  expect(certificateText(until('2026-11-23T11:00:00.000Z'), now)).toContain('less than a day')
  expect(certificateText(aView(), now)).toBe('')
})

test('counts visitors and failed sign-ins', () => {
  expect(countTexts(aView({ visitors: 1 }))).toBe('1 visitor from outside in the last hour.')
  expect(countTexts(aView({ visitors: 12, failed_sign_ins: 1 }))).toBe(
    '12 visitors from outside and 1 failed sign-in in the last hour.',
  )
})

test('says when a router closes the port by itself', () => {
  const view = aView({ lease_until: '2026-11-22T12:30:00.000Z', external_port: 4780 })
  const line =
    /^If this computer crashes, your router keeps port 4780 open until (November 22 at )?\d+:\d\d/
  expect(line.exec(crashText(view, now))?.[1]).toBeUndefined()
  expect(crashText(view, now)).toMatch(line)
  expect(line.exec(crashText(view, new Date('2026-11-24T12:00:00.000Z')))?.[1]).toBe(
    'November 22 at ',
  )
  expect(crashText({ ...view, permanent: true }, now)).toBe('')
})

describe('the path to the internet', () => {
  const open = aView({
    way: 'router',
    state: 'open',
    local: { address: '192.168.1.20', port: 4791 },
    external_port: 443,
  })

  test('shows where people arrive', () => {
    const { nodes, links } = chainOf({ ...open, url: 'https://203.0.113.7' })
    expect(nodes).toEqual([
      { name: 'This computer', detail: '192.168.1.20:4791' },
      { name: 'Router', detail: 'Home Router, port 443' },
      { name: 'Internet', detail: '203.0.113.7' },
    ])
    expect(links).toEqual(['works', 'works'])
  })

  test.each([
    ['no_router_help', ['broken', 'untested']],
    ['two_routers', ['works', 'broken']],
    ['shared_address', ['works', 'broken']],
    ['unproven', ['works', 'untested']],
    ['ipv6_only', ['works', 'ipv6']],
  ] as const)('marks the first broken link of %s', (state, links) => {
    expect(chainOf({ ...open, state }).links).toEqual(links)
  })

  test('shows no private address as that of the internet', () => {
    expect(
      chainOf({ ...open, state: 'two_routers', outer_address: '192.168.0.14' }).nodes[2].detail,
    ).toBe('')
  })

  test('leads through the server of a tunnel, and marks what is wrong there', () => {
    expect(chainOf(aTunnel('key_refused')).nodes[1]).toEqual({
      name: 'Your server',
      detail: 'vps.example',
    })
    expect(chainOf(aTunnel('key_refused')).links).toEqual(['broken', 'untested'])
    expect(chainOf(aTunnel('loopback_only')).links).toEqual(['works', 'broken'])
  })
})
