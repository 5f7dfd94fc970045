import { describe, expect } from 'vitest'
import { WINDOW_HEADER } from '../../../server/contract/host/desktop'
import { RawClient } from '../../support/network/raw-client'
import { replyOf } from '../../support/network/reply'
import { aUser } from '../../support/world/factories'
import { test as base } from '../../support/world/http'
import { WINDOW_SECRET, type TestServer } from '../../support/world/test-server'

async function shareUrl(server: TestServer, host = `127.0.0.1:${server.port}`): Promise<unknown> {
  const client = await RawClient.connect(server.port)
  const { body } = await client.head(server.port, 'GET /api/host', { Host: host }).reply()
  client.close()
  return JSON.parse(body)
}

describe('host.about on a server for this machine only', () => {
  base('tells version and address, and that others cannot reach it', async ({ server }) => {
    expect(await replyOf(server.fetch('/api/host'))).toEqual({
      status: 200,
      body: {
        success: true,
        host: {
          ...{ version: '1.2.3', share_url: server.url, reachable: false },
          ...{ registration_open: true, needs_setup: false, read_only: false, trouble: null },
          resumable_uploads: { above: 8 * 1024 ** 2, chunk: 32 * 1024 ** 2 },
          largest_file: 2 * 1024 ** 3,
          passkey_origins: [],
          sends_mail: false,
          single_sign_on: null,
          demo: null,
        },
      },
    })
  })

  base(
    'asks the app window, and nobody else, to set up a host without accounts',
    async ({ server }) => {
      const needsSetup = async (headers: Record<string, string>) =>
        (
          (await replyOf(server.fetch('/api/host', { headers }))).body as {
            host: { needs_setup: boolean }
          }
        ).host.needs_setup

      expect(await needsSetup({})).toBe(false)
      expect(await needsSetup({ [WINDOW_HEADER]: WINDOW_SECRET })).toBe(true)
      await aUser(server, 'host', { isHost: true })
      expect(await needsSetup({ [WINDOW_HEADER]: WINDOW_SECRET })).toBe(false)
    },
  )

  base(
    'tells visitors when registration is closed, and the app window that it may',
    async ({ server }) => {
      await server.inside.settings.update({ registration_open: false })
      const isOpen = async (headers: Record<string, string>) =>
        (
          (await replyOf(server.fetch('/api/host', { headers }))).body as {
            host: { registration_open: boolean }
          }
        ).host.registration_open

      expect(await isOpen({})).toBe(false)
      expect(await isOpen({ [WINDOW_HEADER]: WINDOW_SECRET })).toBe(true)
    },
  )
})

describe('host.about on a server for the network', () => {
  const test = base.extend({ config: { host: '0.0.0.0' } })

  test('returns the address that the caller used', async ({ server }) => {
    const url = `http://192.0.2.1:${server.port}`

    expect(await shareUrl(server, new URL(url).host)).toMatchObject({
      host: { share_url: url, reachable: true },
    })
  })

  test('returns an address that others can use to a caller on localhost', async ({ server }) => {
    const about = (await shareUrl(server, `localhost:${server.port}`)) as {
      host: { share_url: string; reachable: boolean }
    }

    expect(about.host.reachable).toBe(!/localhost|127\./.test(about.host.share_url))
    expect(about.host.share_url).toMatch(new RegExp(`^http://[^/]+:${server.port}$`))
  })
})

describe('host.about on a server with a public URL', () => {
  const test = base.extend({ config: { publicUrl: 'https://builds.example' } })

  test('returns it, by any address the caller used', async ({ server }) => {
    const told = { host: { share_url: 'https://builds.example', reachable: true } }

    expect(await shareUrl(server)).toMatchObject(told)
    expect(await shareUrl(server, `localhost:${server.port}`)).toMatchObject(told)
    expect(await shareUrl(server, 'builds.example')).toMatchObject(told)
  })
})
