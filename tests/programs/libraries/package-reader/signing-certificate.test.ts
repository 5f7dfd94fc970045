import { X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  const key = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-keyout',
    `${name}.key`,
  ]
  await openssl(
    'req',
    '-x509',
    ...key,
    '-out',
    `${name}.pem`,
    '-days',
    '30',
    '-utf8',
    '-subj',
    subject,
  )
  return new X509Certificate(await readFile(path(`${name}.pem`)))
}

/** Signed data in DER. Its certificates are a set, where the shortest is first. */
async function signedBy(signer: string, ...options: string[]): Promise<Buffer> {
  await writeFile(path('content'), 'content')
  const by = ['-signer', `${signer}.pem`, '-inkey', `${signer}.key`, ...options]
  await openssl(
    'cms',
    '-sign',
    '-binary',
    '-in',
    'content',
    ...by,
    '-outform',
    'DER',
    '-out',
    'signed',
  )
  return readFile(path('signed'))
}

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
  await expect(signedBy('rocket', '-nocerts').then(signingCertificate)).rejects.toThrow(
    'no certificate',
  )
})

test('names a signer without a common name by the organisation, otherwise not', async () => {
  const signer = async (subject: string) => parseSigner((await aCertificate('name', subject)).raw)
  expect((await signer('/O=Acme/OU=Tools')).name).toBe('Acme')
  expect((await signer('/OU=Tools')).name).toBeNull()
  expect((await signer('/CN=a\u202eb')).name).toBe('a b')
})
