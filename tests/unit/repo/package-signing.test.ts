import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { publicKey, signingKey, spki } from '../../../scripts/package/keys'
import { signFeeds } from '../../../scripts/package/sign-feeds'
import { takeSigned } from '../../../scripts/package/take-signed'
import { tempDir } from '../../support/system/temp-dir'

const pair = generateKeyPairSync('ed25519')
const pem = pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
const publicPem = pair.publicKey.export({ format: 'pem', type: 'spki' }).toString()

test('each latest*.yml gets a signature of its name and bytes, and loses it when no key is given', async () => {
  const dir = await tempDir()
  for (const name of ['latest.yml', 'latest-linux-arm64.yml', 'builder-debug.yml']) {
    await writeFile(join(dir, name), `version: ${name} – ä`)
  }
  expect(await signFeeds(dir, pair.privateKey)).toEqual(['latest-linux-arm64.yml', 'latest.yml'])
  const signature = Buffer.from(await readFile(join(dir, 'latest.yml.sig'), 'utf8'), 'base64')
  const isOf = async (name: string, bytesOf = name) =>
    verify(
      null,
      Buffer.concat([Buffer.from(`${name}\n`), await readFile(join(dir, bytesOf))]),
      pair.publicKey,
      signature,
    )
  expect(await isOf('latest.yml')).toBe(true)
  expect(await isOf('latest-linux-arm64.yml')).toBe(false)
  expect(await isOf('beta.yml', 'latest.yml')).toBe(false)

  await signFeeds(dir, undefined)
  expect((await readdir(dir)).filter((name) => name.endsWith('.sig'))).toEqual([])
})

test('the signing key is taken as PEM, as base64 and as a path, and nothing but Ed25519', async () => {
  const path = join(await tempDir(), 'key.pem')
  await writeFile(path, pem)
  const der = pair.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
  for (const given of [pem, der, Buffer.from(pem).toString('base64'), path]) {
    expect(spki(createPublicKey(signingKey(given)))).toBe(spki(pair.publicKey))
  }
  for (const given of [
    publicPem,
    spki(pair.publicKey),
    Buffer.from(publicPem).toString('base64'),
  ]) {
    expect(spki(publicKey(given))).toBe(spki(pair.publicKey))
  }
  const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({
    format: 'pem',
    type: 'pkcs8',
  })
  expect(() => signingKey(rsa.toString())).toThrow(
    'SLIPWAY_UPDATE_SIGNING_KEY is not an Ed25519 key',
  )
  expect(() => signingKey('no key')).toThrow('SLIPWAY_UPDATE_SIGNING_KEY is not an Ed25519 key')
})

test('signed installers replace the others in the release and its feed, and only if all are signed', async () => {
  const dir = await tempDir()
  const [signed, release] = [join(dir, 'signed'), join(dir, 'release')]
  await Promise.all([mkdir(signed), mkdir(release)])
  const digestOf = (text: string) => createHash('sha512').update(text).digest('base64')
  const entry = (url: string, text: string) => ({ url, sha512: digestOf(text), size: text.length })
  const files = [entry('x64.exe', 'x64'), entry('arm64.exe', 'arm64')]
  const feed = { version: '1.1.0', files, path: 'x64.exe', sha512: digestOf('x64') }
  await writeFile(join(release, 'latest.yml'), JSON.stringify(feed))
  await writeFile(join(release, 'x64.exe'), 'x64')

  await writeFile(join(signed, 'x64.exe'), 'x64 and a signature')
  await expect(takeSigned(signed, release)).rejects.toThrow('arm64.exe was not signed')
  await writeFile(join(signed, 'arm64.exe'), 'arm64')
  await expect(takeSigned(signed, release)).rejects.toThrow('came back without a signature')
  await writeFile(join(signed, 'arm64.exe'), 'arm64 and a signature')
  await takeSigned(signed, release)
  expect(await readFile(join(release, 'x64.exe'), 'utf8')).toBe('x64 and a signature')
  expect(parse(await readFile(join(release, 'latest.yml'), 'utf8'))).toEqual({
    ...{ version: '1.1.0', path: 'x64.exe', sha512: digestOf('x64 and a signature') },
    files: [entry('x64.exe', 'x64 and a signature'), entry('arm64.exe', 'arm64 and a signature')],
  })
  expect(await readdir(release)).toContain('arm64.exe.blockmap')
})
