import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPublicKey } from 'node:crypto'
import { readAnswer } from '../../../server/features/devices/read-answer'
import { writeProfile } from '../../../server/features/devices/write-profile'
import { parseProperties } from '../../../server/libraries/package-reader/apple/property-list'
import { needTools, run } from '../../support/system/debian'

const answer = (model = 'iPhone15,2') =>
  `<plist version="1.0"><dict><key>UDID</key><string>${'A'.repeat(40)}</string>` +
  `<key>PRODUCT</key><string>${model}</string>` +
  '<key>CHALLENGE</key><string>c</string></dict></plist>'

describe('answers of devices, signed by openssl', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-device-'))
    const openssl = (...args: string[]) => run('openssl', args, { cwd: folder })
    const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout']
    await openssl('req', '-x509', ...key, 'authority.key', '-out', 'authority', '-subj', '/CN=CA')
    await openssl('req', ...key, 'key', '-out', 'request', '-subj', '/CN=phone')
    const issued = ['-CA', 'authority', '-CAkey', 'authority.key', '-CAcreateserial']
    await openssl('x509', '-req', '-in', 'request', ...issued, '-out', 'certificate')
    await openssl('x509', '-in', 'authority', '-noout', '-pubkey', '-out', 'authority.pub')
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  async function signed(text: string, ...how: string[]): Promise<Buffer> {
    await writeFile(join(folder, 'text'), text)
    const by = ['-signer', 'certificate', '-inkey', 'key', '-in', 'text', '-out', 'signed']
    const form = ['-nodetach', '-binary', '-outform', 'DER']
    await run('openssl', ['cms', '-sign', ...form, ...by, ...how], { cwd: folder })
    return readFile(join(folder, 'signed'))
  }

  test.for([
    ['with attributes', []],
    ['without them', ['-noattr']],
    ['in parts', ['-stream']],
    ['with SHA-1', ['-md', 'sha1']],
    ['with SHA-512', ['-md', 'sha512']],
  ] as const)('a message %s is read', async ([, how]) => {
    const body = await signed(answer(), ...how)
    const device = { udid: 'a'.repeat(40), model: 'iPhone15,2', challenge: 'c' }
    expect(await readAnswer(body)).toEqual({ ...device, isConfirmed: false })

    const authority = createPublicKey(await readFile(join(folder, 'authority.pub'), 'utf8'))
    expect(await readAnswer(body, authority)).toEqual({ ...device, isConfirmed: true })
  })

  test('a message that was changed, cut, or has no signer is refused', async () => {
    const body = await signed(answer())
    const changed = Buffer.from(body)
    changed.write('iPhone14', body.indexOf('iPhone15'))
    for (const bad of [changed, body.subarray(0, -40), await signed(answer(), '-nocerts')])
      await expect(readAnswer(bad)).rejects.toMatchObject({ code: 'invalid_input' })
  })
})

test('plistutil reads the profile', async () => {
  await needTools('plistutil')
  const folder = await mkdtemp(join(tmpdir(), 'slipway-device-'))
  const title = 'A & <b> "c"\u202e'
  const fields = { url: 'https://x.example/t/y/device', challenge: 'c', projectId: 'p', title }
  await writeFile(join(folder, 'profile'), writeProfile({ ...fields, owner: 'alice' }))

  await run('plistutil', ['-i', 'profile', '-o', 'read', '-f', 'bin'], { cwd: folder })
  const paths = ['PayloadType', 'PayloadDisplayName', 'PayloadContent/DeviceAttributes']
  const read = parseProperties(await readFile(join(folder, 'read')), paths)
  expect(Object.fromEntries(read)).toEqual({
    PayloadType: ['Profile Service'],
    PayloadDisplayName: ['Test builds of A & <b> "c"'],
    'PayloadContent/DeviceAttributes': ['UDID', 'PRODUCT'],
  })
  await rm(folder, { recursive: true })
})
