import { expect, test } from 'vitest'
import {
  hashOfRecoveryCode,
  newRecoveryCodes,
} from '../../../server/features/factors/recovery-codes'
import { computeCode, codesUrl, findStep, toBase32 } from '../../../server/features/factors/totp'

const secret = Buffer.from('12345678901234567890')

/** RFC 6238, appendix B. */
test.for([
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
] as const)('shows the code of RFC 6238 at %i seconds', ([seconds, code]) => {
  expect(computeCode(secret, Math.floor(seconds / 30), 8)).toBe(code)
})

test.for([
  [-90, false],
  [-30, true],
  [0, true],
  [30, true],
  [90, false],
] as const)('a phone whose clock is off by %i seconds: accepted %j', ([off, isAccepted]) => {
  const now = new Date('2026-11-20T07:30:10Z')
  const step = Math.floor((now.getTime() / 1000 + off) / 30)

  expect(findStep(secret, computeCode(secret, step), now)).toBe(isAccepted ? step : undefined)
})

test('writes secrets as apps read them (RFC 4648 §10)', () => {
  expect(['f', 'fo', 'foobar'].map((text) => toBase32(Buffer.from(text)))).toEqual([
    'MY',
    'MZXQ',
    'MZXW6YTBOI',
  ])
  expect(codesUrl('builds.example', 'maya', secret)).toBe(
    'otpauth://totp/builds.example:maya?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=builds.example',
  )
})

test('ten recovery codes differ, and can be typed in any case', () => {
  const codes = newRecoveryCodes()
  expect(new Set(codes).size).toBe(10)
  expect(codes.join(' ')).toMatch(/^([0-9a-hjkmnp-tv-z]{6}(-|\b ?)){40}$/)

  expect(hashOfRecoveryCode('0l1i0O-ABC')).toBe(hashOfRecoveryCode('011100abc'))
})
