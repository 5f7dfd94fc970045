import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { signingCertificate } from '../../../../server/libraries/package-reader/certificate/signing-certificate'

/** The PKCS#7 in the certificate table of a Windows program (64-bit or 32-bit). */
async function authenticodeOf(program: string): Promise<Buffer> {
  const bytes = await readFile(program)
  const header = bytes.readUInt32LE(60) + 24
  const entry = header + (bytes.readUInt16LE(header) === 0x20b ? 112 : 96) + 8 * 4
  const start = bytes.readUInt32LE(entry)
  return bytes.subarray(start + 8, start + bytes.readUInt32LE(entry + 4))
}

const vendor = join(
  dirname(createRequire(import.meta.url).resolve('electron-winstaller/package.json')),
  'vendor',
)

test('rejects what is not signed data', () => {
  for (const text of [
    '',
    '30',
    '3080',
    '30820000',
    '3084ffffffff06',
    '1f01',
    '3000',
    '300506030a0b0c',
  ])
    expect(() => signingCertificate(Buffer.from(text, 'hex')), text).toThrow(Error)
})

test('reads changed signed data quickly, or rejects it', async () => {
  const real = await authenticodeOf(join(vendor, 'signtool.exe'))
  const changes = fc.array(fc.tuple(fc.nat(real.length - 1), fc.nat(255)), {
    minLength: 1,
    maxLength: 8,
  })
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
