import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { publicKey, signingKey, spki } from '../../../scripts/package/keys'
import { signFeeds } from '../../../scripts/package/sign-feeds'
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
