import { createHash, createPrivateKey, createPublicKey, verify, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { signJws } from '../../../../server/libraries/acme/acme-account'
import {
  certificateRequest,
  challengeCertificate,
} from '../../../../server/libraries/acme/acme-order'

// What authorities accept, Pebble tells in tests/faults/internet. It gets no IPv6 address.
test.each([
  ['builds.example', 'DNS:builds.example'],
  ['203.0.113.7', 'IP Address:203.0.113.7'],
  ['2001:db8::7', 'IP Address:2001:DB8:0:0:0:0:0:7'],
])('answers a challenge for %s by a certificate with its digest', (subject, alternative) => {
  const { certificate, key } = challengeCertificate(subject, 'token.thumbprint', new Date())
  const parsed = new X509Certificate(certificate)

  expect(parsed.subjectAltName).toBe(alternative)
  expect(parsed.verify(parsed.publicKey) && parsed.checkPrivateKey(createPrivateKey(key))).toBe(
    true,
  )
  // An OCTET STRING of 32 bytes (RFC 8737 §3).
  const value = `0420${createHash('sha256').update('token.thumbprint').digest('hex')}`
  expect(parsed.raw.toString('hex')).toContain(value)
})

test('signs requests with ES256, in 64 bytes', () => {
  const key = createPrivateKey(certificateRequest('builds.example').key)
  const jws = JSON.parse(signJws({ alg: 'ES256', nonce: 'n' }, { a: 'ü' }, key)) as Record<
    string,
    string
  >
  expect(Buffer.from(jws['protected']!, 'base64url').toString()).toBe('{"alg":"ES256","nonce":"n"}')
  expect(Buffer.from(jws['payload']!, 'base64url').toString()).toBe('{"a":"ü"}')
  const signature = Buffer.from(jws['signature']!, 'base64url')
  const signed = Buffer.from(`${jws['protected']}.${jws['payload']}`)
  expect(signature).toHaveLength(64)
  expect(
    verify('sha256', signed, { key: createPublicKey(key), dsaEncoding: 'ieee-p1363' }, signature),
  ).toBe(true)
  expect(JSON.parse(signJws({}, undefined, key))).toMatchObject({ payload: '' })
})
