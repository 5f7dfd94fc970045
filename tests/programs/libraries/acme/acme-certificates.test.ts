import { spawnSync } from 'node:child_process'
import { createHash, createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { certificateRequest, challengeCertificate } from '../../../../server/libraries/acme/acme-certificates'
import { DAY } from '../../../support/world/test-clock'

const PROGRAM = 'openssl'
/** What the program prints, also to its error output. */
const openssl = (args: string, input: string | Buffer) =>
  spawnSync(PROGRAM, args.split(' '), { input, encoding: 'utf8' }).output.join('')

const subjects = [
  ['builds.example', 'DNS:builds.example'],
  ['203.0.113.7', 'IP Address:203.0.113.7'],
  ['2001:db8::7', 'IP Address:2001:DB8:0:0:0:0:0:7'],
] as const

describe('OpenSSL reads', () => {
  test.each(subjects)('the request for %s, and its signature', (subject, alternative) => {
    const { key, request } = certificateRequest(subject)
    const text = openssl('req -inform DER -noout -text -verify', request)
    expect(text).toContain(`X509v3 Subject Alternative Name: \n                    ${alternative}\n`)
    expect(text).toMatch(/Version: 1 \(0x0\)\n\s+Subject: ?\n/)
    const ownKey = createPublicKey(createPrivateKey(key)).export({ type: 'spki', format: 'pem' })
    expect(openssl('req -inform DER -noout -pubkey', request)).toBe(ownKey)
    expect(text).toContain('verify OK')
    expect(openssl('req -inform DER -noout -verify', damaged(request))).not.toContain('verify OK')
  })

  test.each(subjects)('the answer to a challenge for %s', (subject, alternative) => {
    const { certificate, key } = challengeCertificate(subject, 'token.thumbprint', new Date())
    const digest = createHash('sha256').update('token.thumbprint').digest()
    const text = openssl('x509 -noout -text', certificate)
    expect(text).toContain(`X509v3 Subject Alternative Name: \n                ${alternative}\n`)
    expect(text).toContain('1.3.6.1.5.5.7.1.31: critical\n')
    // An OCTET STRING of 32 bytes (RFC 8737 §3), which asn1parse shows as the value of the extension.
    const value = `0420${digest.toString('hex').toUpperCase()}`
    expect(openssl('asn1parse', certificate)).toContain(`[HEX DUMP]:${value}\n`)
    const parsed = new X509Certificate(certificate)
    expect(parsed.verify(parsed.publicKey) && parsed.checkPrivateKey(createPrivateKey(key))).toBe(true)
    expect(Date.parse(parsed.validFrom)).toBeLessThan(Date.now() - DAY / 2)
  })
})

function damaged(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  copy[copy.length - 1]! ^= 1
  return copy
}
