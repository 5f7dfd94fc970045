import { describe, expect } from 'vitest'
import { refusal } from '../../support/network/reply'
import { ask, NUMBER, opened, test } from '../../support/network/small-home'
import { MINUTE } from '../../support/test-clock'

const pathOf = ({ url }: { url: string }) => new URL(url).pathname

describe('internet.phoneTest', () => {
  test('a phone from outside proves that people reach this host, once', async ({ atWindow, server }) => {
    await opened(atWindow)
    const link = await atWindow.client.internet.phoneTest({})
    expect(link.url).toMatch(new RegExp(`^https://${NUMBER}/reach/[\\w-]{43}$`))

    const first = await ask(server, pathOf(link))
    expect([first.status, first.body]).toEqual([200, expect.stringContaining('<h1>It works</h1>')])
    expect((await atWindow.client.internet.show({})).internet.proof?.by).toBe('phone')
    const second = await ask(server, pathOf(link))
    expect([second.status, second.body]).toEqual([410, expect.stringContaining('no longer works')])
  })

  test('a phone on Wi-Fi may try again', async ({ atWindow, server }) => {
    await opened(atWindow)
    const path = pathOf(await atWindow.client.internet.phoneTest({}))

    expect((await ask(server, path, { from: '192.168.1.50' })).body).toContain('You are still on Wi-Fi')
    expect(await (await server.fetch(path)).text()).toContain('You are still on Wi-Fi')
    expect((await ask(server, path)).body).toContain('It works')
  })

  test('a program that only looks whether the link works does not use it up', async ({ atWindow, server }) => {
    await opened(atWindow)
    const path = pathOf(await atWindow.client.internet.phoneTest({}))
    expect((await ask(server, path, { method: 'HEAD' })).status).toBe(200)
    expect((await ask(server, path)).body).toContain('It works')
  })

  test('a link ends after 10 minutes, and a guessed one never worked', async ({ atWindow, server, clock }) => {
    await opened(atWindow)
    const path = pathOf(await atWindow.client.internet.phoneTest({}))
    clock.advance(10 * MINUTE)
    expect((await ask(server, path)).status).toBe(410)
    expect((await ask(server, `/reach/${'A'.repeat(43)}`)).status).toBe(410)
  })

  test('the page runs no scripts, and nobody keeps or lists it', async ({ atWindow, server }) => {
    await opened(atWindow)
    const { headers, body } = await ask(server, `/reach/${'A'.repeat(43)}`)
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': expect.stringMatching(/^default-src 'none'/) as string,
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
    })
    expect(body).not.toContain('<script')
  })

  test('needs an open host, and its links end with it', async ({ atWindow, server }) => {
    await expect(atWindow.client.internet.phoneTest({})).rejects.toMatchObject(refusal('internet_closed'))
    await opened(atWindow)
    const path = pathOf(await atWindow.client.internet.phoneTest({}))
    await atWindow.client.internet.close({})
    expect((await server.fetch(path)).status).toBe(410)
  })
})
