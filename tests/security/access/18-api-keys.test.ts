import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test as plain } from 'vitest'
import { slipway } from '../../support/world/process'
import { aHost, clientAt, fetchAt } from '../../support/world/place'
import { aUser } from '../../support/world/factories'
import { test } from '../../support/world/http'

/** Every file below these folders that contains one of the texts, as bytes or as text. */
async function filesWith(texts: string[], ...dirs: string[]): Promise<string[]> {
  const found: string[] = []
  for (const dir of dirs) {
    for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
      const bytes = await readFile(path)
      if (texts.some((text) => bytes.includes(text))) found.push(path)
    }
  }
  return found
}

plain(
  'the value of a key is in no log, no file of the host and no backup; its SHA-256 is',
  async () => {
    const { host, place, dataDir, base } = await aHost('--log-level', 'debug')
    const { key } = place
    await clientAt(place).files.upload({ file: new File(['bytes'], 'rocket.apk') })
    // However it is sent, and whether the request succeeds or fails.
    await fetch(`${host.url}/api/files/my-files?api_key=${key}&x-api-key=${key}`)
    await fetch(`${host.url}/api/nowhere/${key}`, { headers: { 'x-api-key': key } })
    await fetch(`${host.url}/api/files/${key}/download`, {
      headers: { authorization: `Bearer ${key}` },
    })
    await fetch(`${host.url}/api/projects`, { headers: { 'x-api-key': `${key}x` } })
    const { code } = await slipway('backup', join(base, 'backups'), '--data', dataDir)
    await host.stop()

    expect(code).toBe(0)
    expect(
      await filesWith(['/api/files/my-files'], base),
      'logs that tell of the requests',
    ).not.toEqual([])
    const hidden = [
      key.slice(4),
      Buffer.from(key).toString('base64url').slice(0, 40),
      Buffer.from(key).toString('hex'),
    ]
    expect(await filesWith(hidden, base)).toEqual([])
    for (const text of hidden) expect(host.stdout + host.stderr).not.toContain(text)
    const hash = createHash('sha256').update(key).digest('base64url')
    expect(await filesWith([hash], dataDir)).not.toEqual([])
    expect(await filesWith([hash], join(base, 'backups'))).not.toEqual([])
  },
)

plain('no answer repeats it, and no address carries it', async () => {
  const { place } = await aHost()
  for (const path of [
    '/api/auth/check',
    '/api/files/my-files',
    '/api/storage/stats',
    '/api/host',
    '/',
  ]) {
    const reply = await fetchAt(place)(path)
    expect(JSON.stringify([...reply.headers]) + (await reply.text())).not.toContain(
      place.key.slice(4),
    )
  }
})

test('it is 256 random bits, and never repeats', async ({ server }) => {
  const { id } = await aUser(server, 'alice')
  const keys = await Promise.all(
    Array.from({ length: 100 }, () => server.inside.apiKeys.create(id, 'CI', null)),
  )
  const values = keys.map(({ key }) => key)

  for (const value of values) {
    expect(value).toMatch(/^apk_[\w-]{43}$/)
    expect(Buffer.from(value.slice(4), 'base64url')).toHaveLength(32)
  }
  expect(new Set(values).size).toBe(100)
})

test('opens what its scopes name, and nothing once revoked', async ({
  server,
  signedIn: { client, browser },
}) => {
  const { api_key, key } = await client.apiKeys.create({ name: 'CI', scopes: ['read'] })
  const ask = (path: string, method = 'GET') =>
    server.fetch(path, { method, headers: { 'x-api-key': api_key } })
  const asked = async () => [
    (await ask('/api/files/my-files')).status,
    (await ask('/api/files/upload', 'POST')).status,
    (await ask('/api/projects', 'POST')).status,
    (await ask('/api/auth/api-keys')).status,
  ]

  expect(await asked()).toEqual([200, 403, 403, 401])
  expect(await (await browser.fetch('/api/auth/api-keys')).text()).not.toContain(api_key.slice(4))
  await client.apiKeys.revoke({ id: key.key_id })
  expect(await asked()).toEqual([401, 401, 401, 401])
})
