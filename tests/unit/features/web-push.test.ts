import { createECDH } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  deriveVapid,
  encryptPush,
  isOnCurve,
  vapidHeader,
} from '../../../server/features/notices/web-push'
import { readVapid } from '../../support/mail/push-service'

/** RFC 8291, Appendix A. */
const example = {
  text: 'When I grow up, I want to be a watermelon',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  secret: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  message:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIg' +
    'Dll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
}

test('49: encrypts the example of RFC 8291 as the RFC does', () => {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(example.secret, 'base64url')
  const chance = { salt: Buffer.from(example.salt, 'base64url'), pair }
  const message = encryptPush(Buffer.from(example.text), example, 0, chance)
  expect(message.toString('base64url')).toBe(example.message)
})

test('pads each message to the same length, with a new salt and key', () => {
  const [one, other] = ['', 'x'.repeat(2000)].map((text) =>
    encryptPush(Buffer.from(text), example, 3000),
  )
  expect([one?.length, other?.length]).toEqual([3103, 3103])
  expect(one?.subarray(0, 86)).not.toEqual(other?.subarray(0, 86))
})

test('knows the points of the curve', () => {
  const off = Buffer.from(example.p256dh, 'base64url')
  off[64]! ^= 1
  expect(isOnCurve(example)).toBe(true)
  expect(isOnCurve({ ...example, p256dh: off.toString('base64url') })).toBe(false)
  expect(isOnCurve({ ...example, p256dh: 'B'.padEnd(87, 'A') })).toBe(false)
  expect(isOnCurve({ ...example, p256dh: 'A'.repeat(87) })).toBe(false)
})

test('signs who sends, for one service and half a day', () => {
  const now = new Date('2026-11-29T12:00:00Z')
  const vapid = deriveVapid(['k'.repeat(43)])
  const endpoint = new URL('https://push.example:8443/send/abc?token=1')
  const read = readVapid(vapidHeader(vapid, { endpoint, contact: 'https://builds.example', now }))
  expect(read).toEqual({
    isSigned: true,
    key: vapid.publicKey,
    head: { typ: 'JWT', alg: 'ES256' },
    claims: {
      aud: 'https://push.example:8443',
      exp: now.getTime() / 1000 + 43_200,
      sub: 'https://builds.example',
    },
  })
})

test('has the same key while its oldest session key stays, and another one elsewhere', () => {
  const { publicKey } = deriveVapid(['old'])
  expect(publicKey).toMatch(/^B[\w-]{86}$/)
  expect(deriveVapid(['new', 'old']).publicKey).toBe(publicKey)
  expect(deriveVapid(['new']).publicKey).not.toBe(publicKey)
})
