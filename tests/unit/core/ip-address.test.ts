import { expect, test } from 'vitest'
import { matchNetworks, toNetwork } from '../../../server/core/net/ip-address'

test.for([
  ['two addresses of one IPv6 site', '2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff'],
  ['an address however it is written', '2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['a zone and none', 'fe80::1%eth0', 'fe80::2'],
  ['an IPv4 address that is written as IPv6', '::ffff:203.0.113.7', '203.0.113.7'],
  ['the same in hexadecimal', '::ffff:cb00:7107', '203.0.113.7'],
] as const)('%s are one network', ([, one, other]) => {
  expect(toNetwork(one)).toBe(toNetwork(other))
})

test.for([
  ['two IPv6 sites', '2001:db8:1:2::1', '2001:db8:1:3::1'],
  ['two IPv4 addresses', '203.0.113.7', '203.0.113.8'],
  ['two IPv4 addresses that are written as IPv6', '::ffff:203.0.113.7', '::ffff:203.0.113.8'],
  ['loopback of either kind', '::1', '127.0.0.1'],
] as const)('%s are two networks', ([, one, other]) => {
  expect(toNetwork(one)).not.toBe(toNetwork(other))
})

test('a /48 holds all sites of a customer', () => {
  expect(toNetwork('2001:db8:1:2::1', 48)).toBe(toNetwork('2001:db8:1:ffff::1', 48))
  expect(toNetwork('2001:db8:1:2::1', 48)).not.toBe(toNetwork('2001:db8:2:2::1', 48))
  expect(toNetwork('203.0.113.7', 48)).toBe('203.0.113.7')
})

test('what is no address stands for itself', () => {
  expect(toNetwork('')).toBe('')
  expect(toNetwork('unknown')).toBe('unknown')
})

test.for([
  ['10.1.2.3', true],
  ['192.0.2.7', true],
  ['192.0.2.8', false],
  ['fe80::1%eth0', true],
  ['2001:db8::7', true],
  ['', false],
  ['unknown', false],
] as const)('networks and single addresses match %s: %s', ([address, isMatch]) => {
  expect(matchNetworks(['10.0.0.0/8', '192.0.2.7', 'fe80::/10', '2001:db8::7'])(address)).toBe(
    isMatch,
  )
})
