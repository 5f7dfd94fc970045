import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect as connectSecurely } from 'node:tls'
import { describe, expect } from 'vitest'
import { issue, makeAuthority } from '../../../server/libraries/certificates/certificate'
import { fromElsewhere, NAME, served, test } from '../../support/network/https'
import { problem } from '../../support/network/reply'
import { changeSettings } from '../../support/world/change-settings'
import { DAY } from '../../support/world/test-clock'

describe('a change', () => {
  test('applies at once, both ways, ends no connection', async ({ server, atWindow }) => {
    await expect(served(server)).rejects.toThrow()
    expect((await server.fetch('/ca.crt')).headers.get('content-type')).not.toContain('x509')
    await atWindow.client.settings.change({ https: 'local' })
    expect((await served(server)).checkHost(NAME)).toBe(NAME)
    const running = connectSecurely({
      port: server.port,
      host: '127.0.0.1',
      rejectUnauthorized: false,
    })
    await once(running, 'secureConnect')

    await atWindow.client.settings.change({ https: 'off' })
    await expect(served(server)).rejects.toThrow()
    running.write(`GET /api/host HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`)
    expect(String(await once(running, 'data'))).toMatch(/^HTTP\/1\.1 200/)
    running.destroy()
  })

  test('accepts a custom certificate and key', async ({ server, atWindow, folder }) => {
    const authority = makeAuthority({ names: ['a test'], addresses: [] }, server.clock.now())
    const files = await aPair(
      folder,
      issue(authority, { names: ['quay.local'], addresses: [] }, server.clock.now()),
    )
    await atWindow.client.settings.change({ https: 'own', ...files })

    expect((await served(server)).checkHost('quay.local')).toBe('quay.local')
    expect((await fromElsewhere(server, '/', 'GET', `quay.local:${server.port}`)).statusCode).toBe(
      308,
    )
  })

  test('refuses files that are no pair, have expired or are missing, and changes nothing', async ({
    server,
    atWindow,
    folder,
  }) => {
    const now = server.clock.now()
    const names = { names: ['quay.local'], addresses: [] }
    const authority = makeAuthority({ names: ['a test'], addresses: [] }, now)
    const good = issue(authority, names, now)
    const old = issue(authority, names, new Date(now.getTime() - 500 * DAY))
    const before = server.inside.settings.get()
    for (const [field, files] of [
      ['https_key', await aPair(folder, { ...good, key: old.key })],
      ['https_key', await aPair(folder, { ...good, key: 'no key' }, 'bad')],
      ['https_certificate', await aPair(folder, old, 'old')],
      ['https_certificate', await aPair(folder, { ...good, certificate: 'none' }, 'worse')],
      [
        'https_certificate',
        { https_certificate: join(folder, 'none.crt'), https_key: join(folder, 'none.key') },
      ],
      ['https_certificate', { https_certificate: 'host.crt', https_key: 'host.key' }],
      ['https_certificate', {}],
    ] as const)
      expect
        .soft(await changeSettings(atWindow, { https: 'own', ...files }))
        .toEqual(problem('invalid_input', field))
    expect(server.inside.settings.get()).toEqual(before)
    await expect(served(server)).rejects.toThrow()
  })
})

test('reports a damaged authority and leaves it unchanged', async ({ server, atWindow }) => {
  const path = join(server.dataDir, 'authority.pem')
  await writeFile(path, 'half of it')

  expect(await changeSettings(atWindow, { https: 'local' })).toEqual(
    problem('invalid_input', 'https'),
  )
  expect(await readFile(path, 'utf8')).toBe('half of it')
  expect((await server.fetch('/api/host')).status).toBe(200)
})

async function aPair(folder: string, pair: { certificate: string; key: string }, name = 'own') {
  const [https_certificate, https_key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)]
  await Promise.all([
    writeFile(https_certificate, pair.certificate),
    writeFile(https_key, pair.key),
  ])
  return { https_certificate, https_key }
}
