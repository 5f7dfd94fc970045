import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect as connectSecurely } from 'node:tls'
import { describe, expect } from 'vitest'
import { issue, makeAuthority } from '../../../server/libraries/certificates/certificate'
import { aUser } from '../../support/world/factories'
import { fromElsewhere, NAME, served, test as base } from '../../support/network/https'
import { json, problem, replyOf } from '../../support/network/reply'
import type { TestServer } from '../../support/world/test-server'
import { DAY } from '../../support/world/test-clock'

const test = base.extend<{ atWindow: Awaited<ReturnType<TestServer['atWindow']>> }>({
  atWindow: async ({ server }, use) => use(await server.atWindow(await aUser(server, 'host', { isHost: true }))),
})

const change = (atWindow: Awaited<ReturnType<TestServer['atWindow']>>, input: object) =>
  replyOf(atWindow.browser.fetch('/api/host/settings', json('PUT', input)))

describe('a change', () => {
  test('applies at once, both ways, and ends no running connection', async ({ server, atWindow }) => {
    await expect(served(server)).rejects.toThrow()
    expect((await server.fetch('/ca.crt')).headers.get('content-type')).not.toContain('x509')
    await atWindow.client.settings.change({ https: 'local' })
    expect((await served(server)).checkHost(NAME)).toBe(NAME)
    const running = connectSecurely({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false })
    await once(running, 'secureConnect')

    await atWindow.client.settings.change({ https: 'off' })
    await expect(served(server)).rejects.toThrow()
    running.write(`GET /api/host HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`)
    expect(String(await once(running, 'data'))).toMatch(/^HTTP\/1\.1 200/)
    running.destroy()
  })

  test('accepts a custom certificate and key, and answers to its names', async ({ server, atWindow, folder }) => {
    const authority = makeAuthority({ names: ['a test'], addresses: [] }, server.clock.now())
    const files = await aPair(folder, issue(authority, { names: ['quay.local'], addresses: [] }, server.clock.now()))
    await atWindow.client.settings.change({ https: 'own', ...files })

    expect((await served(server)).checkHost('quay.local')).toBe('quay.local')
    expect((await fromElsewhere(server, '/', 'GET', `quay.local:${server.port}`)).statusCode).toBe(308)
  })

  test.for([
    ['a key of another certificate', 'https_key'],
    ['a certificate that has expired', 'https_certificate'],
    ['a file that is not there', 'https_certificate'],
    ['a path that is not whole', 'https_certificate'],
    ['a key that is none', 'https_key'],
    ['a certificate that is none', 'https_certificate'],
    ['no files at all', 'https_certificate'],
  ] as const)('refuses %s, and nothing is changed', async ([what, field], { server, atWindow, folder }) => {
    const now = server.clock.now()
    const [authority, names] = [
      makeAuthority({ names: ['a test'], addresses: [] }, now),
      { names: ['quay.local'], addresses: [] },
    ]
    const good = issue(authority, names, now)
    const old = issue(authority, names, new Date(now.getTime() - 500 * DAY))
    const inputs: Record<typeof what, object> = {
      'a key of another certificate': await aPair(folder, { ...good, key: old.key }),
      'a certificate that has expired': await aPair(folder, old, 'old'),
      'a file that is not there': { https_certificate: join(folder, 'none.crt'), https_key: join(folder, 'none.key') },
      'a path that is not whole': { https_certificate: 'host.crt', https_key: 'host.key' },
      'a key that is none': await aPair(folder, { ...good, key: 'no key' }, 'bad'),
      'a certificate that is none': await aPair(folder, { ...good, certificate: 'none' }, 'worse'),
      'no files at all': {},
    }
    const before = server.inside.settings.get()

    expect(await change(atWindow, { https: 'own', ...inputs[what] })).toEqual(problem('invalid_input', field))
    expect(server.inside.settings.get()).toEqual(before)
    await expect(served(server)).rejects.toThrow()
  })
})

test('reports a damaged authority and leaves it unchanged', async ({ server, atWindow }) => {
  const path = join(server.dataDir, 'authority.pem')
  await writeFile(path, 'half of it')

  expect(await change(atWindow, { https: 'local' })).toEqual(problem('invalid_input', 'https'))
  expect(await readFile(path, 'utf8')).toBe('half of it')
  expect((await server.fetch('/api/host')).status).toBe(200)
})

async function aPair(folder: string, pair: { certificate: string; key: string }, name = 'own') {
  const [https_certificate, https_key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)]
  await Promise.all([writeFile(https_certificate, pair.certificate), writeFile(https_key, pair.key)])
  return { https_certificate, https_key }
}
