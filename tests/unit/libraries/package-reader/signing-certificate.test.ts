import { X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  parseSigner,
  signingCertificate,
} from '../../../../server/libraries/package-reader/certificate/signing-certificate'
import { run } from '../../../support/system/debian'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-signer-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const path = (name: string) => join(folder, name)
const openssl = (...args: string[]) => run('openssl', args, { cwd: folder })

async function aCertificate(name: string, subject: string): Promise<X509Certificate> {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', `${name}.key`]
  await openssl('req', '-x509', ...key, '-out', `${name}.pem`, '-days', '30', '-utf8', '-subj', subject)
  return new X509Certificate(await readFile(path(`${name}.pem`)))
}

/** Signed data in DER. Its certificates are a set, where the shortest is first. */
async function signedBy(signer: string, ...options: string[]): Promise<Buffer> {
  await writeFile(path('content'), 'content')
  const by = ['-signer', `${signer}.pem`, '-inkey', `${signer}.key`, ...options]
  await openssl('cms', '-sign', '-binary', '-in', 'content', ...by, '-outform', 'DER', '-out', 'signed')
  return readFile(path('signed'))
}

/** The PKCS#7 in the certificate table of a Windows program (64-bit or 32-bit). */
async function authenticodeOf(program: string): Promise<Buffer> {
  const bytes = await readFile(program)
  const header = bytes.readUInt32LE(60) + 24
  const entry = header + (bytes.readUInt16LE(header) === 0x20b ? 112 : 96) + 8 * 4
  const start = bytes.readUInt32LE(entry)
  return bytes.subarray(start + 8, start + bytes.readUInt32LE(entry + 4))
}

const vendor = join(dirname(createRequire(import.meta.url).resolve('electron-winstaller/package.json')), 'vendor')

test('reads the signer of a Windows program as osslsigncode does', async () => {
  // osslsigncode verify -in signtool.exe: "Signer #0", and the SHA-256 of that certificate by openssl.
  expect(signingCertificate(await authenticodeOf(join(vendor, 'signtool.exe')))).toEqual({
    sha256: '277d42066a68326ba10b1874d393327404287c14a9c9db1c09d50698952a17dd',
    name: 'Microsoft Corporation',
    expires_at: '2011-03-07T22:40:29.000Z',
  })
})

test('finds the certificate of the signer among others', async () => {
  const rocket = await aCertificate('rocket', '/O=Acme/CN=Röcket, "Inc." #1')
  await aCertificate('short', '/CN=x')
  const expected = {
    sha256: rocket.fingerprint256.replaceAll(':', '').toLowerCase(),
    name: 'Röcket, "Inc." #1',
    expires_at: new Date(rocket.validTo).toISOString(),
  }
  const signed = await signedBy('rocket', '-certfile', 'short.pem')
  expect(signingCertificate(signed)).toEqual(expected)
  expect(signingCertificate(Buffer.concat([signed, Buffer.alloc(7)]))).toEqual(expected)
  expect(signingCertificate(await signedBy('rocket', '-keyid'))).toEqual(expected)
  await expect(signedBy('rocket', '-nocerts').then(signingCertificate)).rejects.toThrow('no certificate')
})

test('names a signer without a common name by the organisation, otherwise not', async () => {
  const signer = async (subject: string) => parseSigner((await aCertificate('name', subject)).raw)
  expect((await signer('/O=Acme/OU=Tools')).name).toBe('Acme')
  expect((await signer('/OU=Tools')).name).toBeNull()
  expect((await signer('/CN=a\u202eb')).name).toBe('a b')
})

test('rejects what is not signed data', () => {
  for (const text of ['', '30', '3080', '30820000', '3084ffffffff06', '1f01', '3000', '300506030a0b0c'])
    expect(() => signingCertificate(Buffer.from(text, 'hex')), text).toThrow(Error)
})

test('reads changed signed data quickly, or rejects it', async () => {
  const real = await authenticodeOf(join(vendor, 'signtool.exe'))
  const changes = fc.array(fc.tuple(fc.nat(real.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(changes, fc.nat(real.length), (all, cut) => {
      const bytes = Buffer.from(real)
      for (const [at, value] of all) bytes[at] = value
      for (const changed of [bytes, bytes.subarray(0, cut)]) {
        try {
          expect(signingCertificate(changed).sha256).toMatch(/^[0-9a-f]{64}$/)
        } catch (cause) {
          expect(cause).toBeInstanceOf(Error)
          expect((cause as Error).name).not.toBe('AssertionError')
        }
      }
    }),
    { numRuns: 1000 },
  )
})
