import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { aFile, aUser } from '../../support/world/factories'
import { NAME, served, test as base } from '../../support/network/https'
import { PASSWORD } from '../../support/world/password'
import { json } from '../../support/network/reply'
import type { TestServer } from '../../support/world/test-server'
import { run } from '../../support/system/debian'

const test = base.extend<{ ca: string; settings: object }>({
  settings: async ({}, use) => use({ https: 'local' }),
  ca: async ({ server, folder }, use) => {
    const path = join(folder, 'ca.crt')
    await writeFile(path, await (await server.fetch('/ca.crt')).text())
    await use(path)
  },
})

async function curl(server: TestServer, ca: string, path: string, ...more: string[]) {
  const to = [
    '--resolve',
    `${NAME}:${server.port}:127.0.0.1`,
    `https://${NAME}:${server.port}${path}`,
  ]
  return (
    await run('curl', ['-sS', '--cacert', ca, ...more, ...to], {
      encoding: 'buffer',
      maxBuffer: 10_000_000,
    })
  ).stdout
}

describe('a certificate that the host makes', () => {
  test('curl that trusts the authority gets every byte, by HTTPS and by HTTP on one port', async ({
    server,
    ca,
  }) => {
    const alice = await aUser(server, 'alice')
    const bytes = Buffer.alloc(3_000_000, 'slipway')
    const { file_id } = await aFile(server, alice, { filename: 'app.apk', bytes, is_public: true })
    const path = `/api/files/public/alice/${file_id}/download`

    expect((await curl(server, ca, path)).equals(bytes)).toBe(true)
    expect(Buffer.from(await (await server.fetch(path)).arrayBuffer()).equals(bytes)).toBe(true)
    expect((await curl(server, ca, path, '-r', '7-13')).toString()).toBe('slipway')
    const about = JSON.parse((await curl(server, ca, '/api/host')).toString()) as {
      host: { share_url: string }
    }
    expect(about.host.share_url).toBe(`https://${NAME}:${server.port}`)
  })

  test('curl that does not trust the authority refuses', async ({ server }) => {
    await expect(run('curl', ['-sS', `https://127.0.0.1:${server.port}/`])).rejects.toMatchObject({
      code: 60,
    })
  })

  test('openssl accepts the chain for each name and address of the host', async ({
    server,
    ca,
    folder,
  }) => {
    const leaf = join(folder, 'leaf.crt')
    await writeFile(leaf, (await served(server)).toString())

    for (const name of [
      ['-verify_hostname', NAME],
      ['-verify_ip', '127.0.0.1'],
      ['-verify_ip', '::1'],
    ]) {
      const verify = [
        'verify',
        '-x509_strict',
        '-CAfile',
        ca,
        '-purpose',
        'sslserver',
        ...name,
        leaf,
      ]
      expect((await run('openssl', verify)).stdout).toContain('OK')
    }
  })

  test('HTTPS sign-in sets a Secure cookie; over HTTP it could not', async ({ server, ca }) => {
    await aUser(server, 'alice')
    const body = JSON.stringify({ username: 'alice', password: PASSWORD })
    const origin = `Origin: https://${NAME}:${server.port}`
    const sent = ['-i', '-H', origin, '-H', 'Content-Type: application/json', '-d', body]
    const reply = (await curl(server, ca, '/api/auth/login', ...sent)).toString()

    expect(reply).toMatch(/^set-cookie: slipway\.sid=.*; secure; httponly/im)
    const plain = await server.fetch(
      '/api/auth/login',
      json('POST', { username: 'alice', password: PASSWORD }),
    )
    expect(plain.headers.get('set-cookie')).not.toMatch(/secure/i)
  })
})
