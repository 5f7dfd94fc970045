import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isOurs, isPublic } from '../../../server/http/pipeline/host-check'

const rules = (publicUrl: string | null = null) => ({
  bound: () => ({ port: 4780 }),
  publicUrl: () => publicUrl,
})

test('on port 80 the port may be left out', () => {
  const on80 = { bound: () => ({ port: 80 }), publicUrl: () => null }

  expect([
    isOurs('127.0.0.1', on80),
    isOurs('localhost', on80),
    isOurs('evil.example', on80),
  ]).toEqual([true, true, false])
})

test.each([
  ['https://builds.example', 'builds.example', true],
  ['https://builds.example', 'BUILDS.EXAMPLE', true],
  ['https://builds.example', 'builds.example:4780', false],
  ['https://builds.example:8443', 'builds.example:8443', true],
  ['https://builds.example:8443', 'builds.example', false],
])('the host rules for the public URL %s: %s is ours: %j', (publicUrl, host, answer) => {
  expect(isOurs(host, rules(publicUrl))).toBe(answer)
})

test('no name that others can register is ours', () => {
  const label = fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/)
  fc.assert(
    fc.property(fc.array(label, { minLength: 2, maxLength: 4 }), (labels) => {
      fc.pre(labels.at(-1) !== 'local')
      expect(isOurs(`${labels.join('.')}:4780`, rules())).toBe(false)
    }),
  )
})

test.each([
  [
    'https://203.0.113.7',
    ['203.0.113.7', '203.0.113.7:443'],
    ['203.0.113.7:80', '203.0.113.7:4780', '203.0.113.8'],
  ],
  [
    'https://Home.example',
    ['home.example', 'HOME.example:443'],
    ['home.example.', 'x.home.example', 'localhost'],
  ],
  ['http://home.example', ['home.example', 'home.example:80'], ['home.example:443']],
  ['https://vps.example:8443', ['vps.example:8443'], ['vps.example', 'vps.example:443']],
  ['https://[2001:db8::7]', ['[2001:db8::7]', '[2001:DB8::7]:443'], ['2001:db8::7', '[::1]']],
  [null, [], ['203.0.113.7', 'null', 'localhost', '']],
])('from outside, %s answers to %j and not to %j', (origin, right, wrong) => {
  for (const host of right) expect([host, isPublic(host, origin)]).toEqual([host, true])
  for (const host of wrong) expect([host, isPublic(host, origin)]).toEqual([host, false])
})
