import { describe, expect } from 'vitest'
import { refusal } from '../../support/network/reply'
import { ask, NUMBER, opened, test } from '../../support/network/small-home'
import { MINUTE } from '../../support/world/test-clock'

const containing = (text: string) => expect.stringContaining(text) as string
const pathOf = ({ url }: { url: string }) => new URL(url).pathname

describe('internet.phoneTest', () => {
  test('a phone proves that people reach this host from outside, by a link for once', async ({
    atWindow,
    server,
  }) => {
    await opened(atWindow)
    const link = await atWindow.client.internet.phoneTest({})
    expect(link.url).toMatch(new RegExp(`^https://${NUMBER}/reach/[\\w-]{43}$`))
    const path = pathOf(link)
    expect((await ask(server, path, { from: '192.168.1.50' })).body).toContain(
      'You are still on Wi-Fi',
    )
    expect(await (await server.fetch(path)).text()).toContain('You are still on Wi-Fi')
    // A program that only looks whether the link works.
    expect((await ask(server, path, { method: 'HEAD' })).status).toBe(200)

    expect(await ask(server, path)).toMatchObject({
      status: 200,
      body: containing('<h1>It works</h1>'),
    })
    expect((await atWindow.client.internet.show({})).internet.proof?.by).toBe('phone')
    expect(await ask(server, path)).toMatchObject({
      status: 410,
      body: containing('no longer works'),
    })
  })

  test('a link ends after 10 minutes; no scripts', async ({ atWindow, server, clock }) => {
    await opened(atWindow)
    const path = pathOf(await atWindow.client.internet.phoneTest({}))
    clock.advance(10 * MINUTE)
    const { status, headers, body } = await ask(server, path)
    expect(status).toBe(410)
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': expect.stringMatching(/^default-src 'none'/) as string,
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
    })
    expect(body).not.toContain('<script')
    expect((await ask(server, `/reach/${'A'.repeat(43)}`)).status).toBe(410)
  })

  test('needs an open host, and its links end with it', async ({ atWindow, server }) => {
    await expect(atWindow.client.internet.phoneTest({})).rejects.toMatchObject(
      refusal('internet_closed'),
    )
    await opened(atWindow)
    const path = pathOf(await atWindow.client.internet.phoneTest({}))
    await atWindow.client.internet.close({})
    expect((await server.fetch(path)).status).toBe(410)
  })
})
