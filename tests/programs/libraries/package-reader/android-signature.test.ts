import { X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withSigningBlock } from '../../../support/android-package'
import { lookOf } from '../../../support/looks'
import { aManifest, anApk } from '../../../support/packages'
import { run } from '../../../support/system/debian'

describe('the signature of an Android app', () => {
  let folder: string
  const certificates = new Map<string, X509Certificate>()
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-apk-'))
    for (const name of ['old', 'v2', 'v3', 'v31']) {
      const key = [
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
        '-keyout',
        `${name}.key`,
      ]
      await run(
        'openssl',
        ['req', '-x509', ...key, '-out', name, '-days', '9000', '-subj', `/CN=${name}`],
        {
          cwd: folder,
        },
      )
      certificates.set(name, new X509Certificate(await readFile(join(folder, name))))
    }
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const raw = (name: string) => certificates.get(name)?.raw ?? Buffer.alloc(0)
  const facts = async (apk: Buffer) => (await lookOf('rocket.apk', apk)).facts

  test('is that of a JAR for old devices', async () => {
    await writeFile(join(folder, 'CERT.SF'), 'Signature-Version: 1.0')
    const by = [
      '-in',
      'CERT.SF',
      '-signer',
      'old',
      '-inkey',
      'old.key',
      '-outform',
      'DER',
      '-out',
      'CERT.EC',
    ]
    await run('openssl', ['cms', '-sign', '-binary', ...by], { cwd: folder })
    const signature = { name: 'META-INF/CERT.EC', bytes: await readFile(join(folder, 'CERT.EC')) }
    const apk = anApk(aManifest('1.0'), signature)
    expect(await facts(apk)).toMatchObject({
      signer: { name: 'old' },
      android: { signature_schemes: [1] },
    })
    const both = withSigningBlock(apk, { 0x7109871a: raw('v2') })
    expect(await facts(both)).toMatchObject({
      signer: { name: 'v2' },
      android: { signature_schemes: [1, 2] },
    })
    const broken = anApk(aManifest('1.0'), { ...signature, bytes: Buffer.alloc(9) })
    expect(await facts(broken)).toMatchObject({
      is_signed: true,
      signer: null,
      android: { signature_schemes: [1] },
    })
  })

  test('is that of the newest scheme that all devices from Android 9 use', async () => {
    const all = {
      0x1b93ad61: raw('v31'),
      0x7109871a: raw('v2'),
      0xf05368c0: raw('v3'),
      0x42726577: Buffer.alloc(99),
    }
    const { signer, android } = await facts(withSigningBlock(anApk(aManifest('1.0')), all))
    expect(signer?.sha256).toBe(
      certificates.get('v3')?.fingerprint256.replaceAll(':', '').toLowerCase(),
    )
    expect(android?.signature_schemes).toEqual([2, 3, 31])
  })

  test('a damaged signature is an error', async () => {
    const apk = withSigningBlock(anApk(aManifest('1.0')), {
      0x7109871a: Buffer.from('no certificate'),
    })
    await expect(facts(apk)).rejects.toThrow(Error)
  })
})
