import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { describe, expect } from 'vitest'
import { realDisk } from '../../../server/core/durable-file'
import { newKey } from '../../../server/libraries/certificates/certificate'
import { PublicFile } from '../../../server/network/tls/public-file'
import { pairFor } from '../../support/internet/small-authority'
import { fromElsewhere, NAME } from '../../support/network/https'
import { opened, test as base } from '../../support/network/small-home'
import type { TestServer } from '../../support/world/test-server'
import { DAY } from '../../support/world/test-clock'

const PUBLIC = 'builds.example'

const test = base.extend({
  config: { rateLimits: true, host: '0.0.0.0' },
  settings: async ({ authority }, use) => {
    const internet = { acme_directory: authority.directory, stun_server: '', internet_name: PUBLIC }
    await use({ ...internet, https: 'public', port: 4780 })
  },
})

/** The names in the certificate of the main listener; '' as `servername` sends none. */
async function shown(server: TestServer, servername: string, host = '127.0.0.1') {
  const socket = connect({ port: server.port, host, servername, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const { subjectaltname = '', serialNumber } = socket.getPeerCertificate()
  socket.destroy()
  return { names: subjectaltname, serial: serialNumber }
}

describe('the mode public', () => {
  test('offers the public certificate for its name only', async ({ server, atWindow }) => {
    expect((await shown(server, PUBLIC)).names).toContain(NAME)
    expect(
      (await fromElsewhere(server, '/api/host', 'GET', `${PUBLIC}:${server.port}`)).statusCode,
    ).toBe(421)
    await opened(atWindow)

    await expect.poll(async () => (await shown(server, PUBLIC)).names).toBe(`DNS:${PUBLIC}`)
    expect((await shown(server, NAME)).names).toContain(NAME)
    expect((await shown(server, '')).names).toContain('IP Address:127.0.0.1')
    const sent = await fromElsewhere(server, '/api/host', 'GET', `${PUBLIC}:${server.port}`)
    expect([sent.statusCode, sent.headers.location]).toEqual([
      308,
      `https://${PUBLIC}:${server.port}/api/host`,
    ])
    expect(server.inside.https.needsTrust(PUBLIC)).toBe(false)
    expect(server.inside.https.needsTrust(NAME)).toBe(true)
    expect(server.inside.addresses.list().map(({ url }) => url)).not.toContain(
      sent.headers.location,
    )
  })

  test('offers a renewed certificate without a restart, and none that ended', async ({
    server,
    atWindow,
    clock,
  }) => {
    await opened(atWindow)
    const now = () => shown(server, PUBLIC)
    await expect.poll(now).toMatchObject({ names: `DNS:${PUBLIC}` })
    const { serial } = await now()
    clock.advance(61 * DAY)
    await expect
      .poll(now)
      .toEqual({ names: `DNS:${PUBLIC}`, serial: expect.not.stringMatching(serial) as string })
    await server.inside.internet.close()
    clock.advance(91 * DAY)
    await server.inside.https.refresh()
    expect((await shown(server, PUBLIC)).names).toContain(NAME)
  })

  test('offers a certificate for addresses that lead to it', async ({ server, clock }) => {
    clock.advance(Date.now() - clock.now().getTime())
    const file = new PublicFile(server.dataDir, realDisk)
    const { pair } = pairFor('127.0.0.2')
    await file.write({ directory: 'https://authority.example/', accountKey: newKey().key, pair })
    await server.inside.https.refresh()

    const { serial } = await shown(server, '', '127.0.0.2')
    expect((await shown(server, '', '127.0.0.1')).serial).not.toBe(serial)
    expect((await shown(server, NAME, '127.0.0.2')).names).toContain(NAME)
  })

  test('leaves HTTPS as in local while the file is damaged', async ({ server }) => {
    await writeFile(join(server.dataDir, 'public.pem'), 'half of it')
    await server.inside.https.refresh()
    expect((await shown(server, PUBLIC)).names).toContain(NAME)
  })
})
