import { readdir, readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect } from 'vitest'
import { address } from '../../../renderer/lib/client/api-client'
import { api, type Endpoint } from '../../../server/contract'
import { backUp } from '../../../server/data/backup/backup'
import { restore } from '../../../server/data/backup/restore'
import { aFile, aUser } from '../../support/world/factories'
import { refusal } from '../../support/network/reply'
import { test } from '../../support/world/http'
import { listening } from '../../support/system/listening'

const keys = { access_key_id: 'GKcanary31c2', secret_access_key: 'b4c0ffee+canary/=' }
const canary = /canary/

/** A store that refuses everything and keeps what it was sent. */
async function aStore(): Promise<{ endpoint: string; asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const { method, url, headers } = request
    asked.push(JSON.stringify([method, url, headers]))
    request.on('data', (chunk: Buffer) => asked.push(chunk.toString()))
    request.on('end', () => response.writeHead(403).end())
  })
  return { endpoint: `http://127.0.0.1:${await listening(server)}`, asked }
}

async function filesIn(dir: string): Promise<[name: string, text: string][]> {
  const names = await readdir(dir, { recursive: true })
  const paths = names.map((name) => [name, join(dir, name)] as const)
  const files = await Promise.all(
    paths.map(async ([name, path]) => ((await stat(path)).isFile() ? [name, path] : [])),
  )
  return Promise.all(
    files
      .filter((it): it is [string, string] => it.length === 2)
      .map(async ([name, path]) => [name, await readFile(path, 'latin1')] as [string, string]),
  )
}

test('36: no reply, log, audit entry, backup or report has the keys of a bucket', async ({
  server,
  folder,
  log,
}) => {
  const logged: string[] = []
  for (const level of ['debug', 'info', 'warn', 'error'] as const) {
    log[level] = (...said: unknown[]) => void logged.push(JSON.stringify(said))
  }
  const host = await aUser(server, 'host', { isHost: true })
  await aFile(server, host, { is_public: true })
  const { client, browser } = await server.atWindow(host)
  const { endpoint } = await aStore()
  await client.mirror.setUp({ endpoint, bucket: 'builds', ...keys })
  const test = await client.mirror.test({ endpoint, bucket: 'builds', ...keys })

  const reads = Object.values(api).flatMap((calls) => Object.values<Endpoint>(calls))
  const shown = reads.filter(
    ({ method, access, events }) => method === 'GET' && access === 'host' && events !== true,
  )
  expect(shown.length).toBeGreaterThan(10)
  const replies = await Promise.all(
    shown.map(async (it) => (await browser.fetch(address(it, {}).url)).text()),
  )
  const report = await server.inside.report({
    dataDir: server.dataDir,
    now: new Date(),
    versions: {},
  })
  for (const text of [JSON.stringify(test), ...replies, report, ...logged])
    expect(text).not.toMatch(canary)

  const { path } = await backUp(server.dataDir, join(folder, 'backups'), new Date(), {
    ...server.stored,
  })
  expect(await readFile(join(path, 'secrets.json'), 'utf8')).toContain('sessionKeys')
  for (const [name, text] of await filesIn(path))
    expect([name, canary.test(text)]).toEqual([name, false])
  const kept = (await filesIn(server.dataDir))
    .filter(([, text]) => canary.test(text))
    .map(([name]) => name)
  expect(kept).toEqual(['secrets.json'])
  expect((await stat(join(server.dataDir, 'secrets.json'))).mode & 0o777).toBe(0o600)

  const { held } = await restore(path, join(folder, 'restored'))
  expect(held?.mirror).toMatchObject({ endpoint, bucket: 'builds' })
  expect(JSON.parse(await readFile(join(folder, 'restored/settings.json'), 'utf8'))).toMatchObject({
    mirror: null,
  })
})

test('36: the keys of one store go to no other, and the secret to none', async ({
  server,
  atWindow: { client },
}) => {
  const [ours, other] = [await aStore(), await aStore()]
  await client.mirror.setUp({ endpoint: ours.endpoint, bucket: 'builds', ...keys })
  await client.mirror.test({ endpoint: ours.endpoint, bucket: 'builds' })
  expect(ours.asked.join('')).toContain(keys.access_key_id)
  expect(ours.asked.join('')).not.toContain(keys.secret_access_key)

  const elsewhere = { endpoint: other.endpoint, bucket: 'builds' }
  await expect(client.mirror.setUp(elsewhere)).rejects.toMatchObject(
    refusal('invalid_input', 'access_key_id'),
  )
  await expect(client.mirror.test(elsewhere)).rejects.toMatchObject(
    refusal('invalid_input', 'access_key_id'),
  )
  const { settings } = server.inside
  await settings.update({ mirror: { ...settings.get().mirror!, endpoint: other.endpoint } })
  await expect
    .poll(async () => (await client.mirror.show({})).mirror.problem?.kind)
    .toBe('keys_missing')
  expect(other.asked).toEqual([])
})
