import { createPrivateKey, createPublicKey, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { signJws } from '../../../../server/libraries/acme/acme-account'
import { certificateRequest } from '../../../../server/libraries/acme/acme-certificates'

test('signs requests with ES256, in 64 bytes', () => {
  const key = createPrivateKey(certificateRequest('builds.example').key)
  const jws = JSON.parse(signJws({ alg: 'ES256', nonce: 'n' }, { a: 'ü' }, key)) as Record<string, string>
  expect(Buffer.from(jws['protected']!, 'base64url').toString()).toBe('{"alg":"ES256","nonce":"n"}')
  expect(Buffer.from(jws['payload']!, 'base64url').toString()).toBe('{"a":"ü"}')
  const signature = Buffer.from(jws['signature']!, 'base64url')
  const signed = Buffer.from(`${jws['protected']}.${jws['payload']}`)
  expect(signature).toHaveLength(64)
  expect(verify('sha256', signed, { key: createPublicKey(key), dsaEncoding: 'ieee-p1363' }, signature)).toBe(true)
  expect(JSON.parse(signJws({}, undefined, key))).toMatchObject({ payload: '' })
})
