import { expect, test } from 'vitest'
import { isOnInternet, isSpecial } from '../../../server/core/net/public-address'

test.each([
  ['10.1.2.3', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.0.14', 'private'],
  ['fd00::1', 'private'],
  ['100.64.0.10', 'shared'],
  ['100.127.255.255', 'shared'],
  ['192.0.0.2', 'shared'],
  ['0.0.0.0', 'other'],
  ['127.0.0.1', 'other'],
  ['169.254.1.1', 'other'],
  ['198.51.100.4', 'other'],
  ['224.0.0.1', 'other'],
  ['255.255.255.255', 'other'],
  ['::1', 'other'],
  ['fe80::1%eth0', 'other'],
  ['2001:db8::1', 'other'],
  ['2001:0:5ef5::1', 'other'],
  ['2002:c000:204::1', 'other'],
  ['5f00::1', 'other'],
  ['192.88.99.1', 'other'],
  ['', 'other'],
  ['1.2.3', 'other'],
  ['router.example', 'other'],
  ['172.32.0.1', undefined],
  ['100.63.255.255', undefined],
  ['100.128.0.1', undefined],
  ['11.77.0.10', undefined],
  ['2a0f:77::10', undefined],
])('%s is %s', (address, kind) => {
  expect(isSpecial(address)).toBe(kind)
})

test.each([
  ['11.77.0.10', true],
  ['::ffff:11.77.0.10', true],
  ['64:ff9b::11.77.0.10', true],
  ['2a0f:77::10', true],
  ['127.0.0.1', false],
  ['0.0.0.0', false],
  ['::', false],
  ['::1', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:7f00:1', false],
  ['0:0:0:0:0:ffff:a00:1', false],
  ['::127.0.0.1', false],
  ['64:ff9b::10.0.0.1', false],
  ['64:ff9b::7f00:1', false],
  ['64:ff9b:1::a00:1', false],
  ['2002:7f00:1::', false],
  ['fe80::1%eth0', false],
  ['fec0::1', false],
  ['169.254.169.254', false],
  ['100.100.100.200', false],
  ['fd00:ec2::254', false],
  ['127.1', false],
  ['builds.example', false],
])('whether %s is on the internet: %s', (address, expected) => {
  expect(isOnInternet(address)).toBe(expected)
})
