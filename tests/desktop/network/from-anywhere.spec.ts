import { once } from 'node:events'
import { expect, type ElectronApplication } from 'playwright/test'
import { noLab, type Home } from '../../support/internet/home'
import { listening, startOn } from '../../support/internet/home-router'
import { card, line, open, test, visit } from '../../support/desktop/app/home-test'
import { quit } from '../../support/desktop/app/launch'
import { switchSharing } from '../../support/desktop/app/menu'
import { clickTray, seen, watch } from '../../support/desktop/app/outside-window'
import { signInAtWindow } from '../../support/desktop/app/settings'
import { loaded } from '../../support/desktop/desktop-test'

const itemsOf = async (app: ElectronApplication) => (await seen(app)).items.map(([label]) => label)

/** What the router leads in, as its firewall has it. */
const ledIn = (home: Home) =>
  home.namespaces.sh('router', 'nft list chain inet filter prerouting_miniupnpd')

test('the card opens the host, the tray stops it, quitting takes it', async ({ app, home }) => {
  test.skip(noLab !== undefined, noLab)
  const page = await loaded(app)
  await watch(app)
  await signInAtWindow(page)
  await page.reload()

  await test.step('a click in the tray opens the page that asks for consent', async () => {
    expect(await switchSharing(app)).toBe(true)
    await expect.poll(() => itemsOf(app)).toContain('Share from anywhere …')
    await clickTray(app, 'internet')
    await expect(page).toHaveURL(/\/host$/)
    await expect(line(page)).toHaveText('Only your network can reach this host.')
    expect(ledIn(home)).not.toContain('dnat')
  })

  await test.step('the page opens it, and a visitor proves it', async () => {
    await open(page)
    await expect(line(page)).toHaveText('The port is open, but not tested from outside yet.')
    expect(await visit(home)).toMatch(/^\d/)
    await expect(line(page)).toHaveText('Anyone can reach this host.')
    await expect(page.getByLabel('Public address')).toHaveText(`https://${home.router.outside}`)
    await expect.poll(async () => (await seen(app)).tip).toBe('Slipway. Online, from anywhere')
  })

  await test.step('the tray stops it', async () => {
    expect(await itemsOf(app)).toContain('Stop sharing from anywhere')
    await clickTray(app, 'internet')
    await expect(line(page)).toHaveText('Only your network can reach this host.')
    await expect.poll(() => itemsOf(app)).toContain('Share from anywhere …')
    expect(ledIn(home)).not.toContain('dnat')
    expect(await visit(home)).toBeUndefined()
  })

  await test.step('quitting takes the port back', async () => {
    await open(page)
    await expect.poll(() => visit(home)).toMatch(/^\d/)
    expect(ledIn(home)).toContain('dnat')
    const ended = once(app.process(), 'exit')
    await quit(app)
    await ended
    expect(ledIn(home)).not.toContain('dnat')
  })
})

/**
 * Answers as the local status of cloudflared (a quick tunnel) and ngrok, as their documentation
 * shows it.
 */
const STATUS = `
const http = require('node:http')
const reply = (body) => (request, response) => response.end(JSON.stringify(body))
http.createServer(reply({ hostname: 'quick-brown-fox.trycloudflare.com' })).listen(20241, '127.0.0.1')
http.createServer(reply({ tunnels: [{ public_url: 'https://abc123.ngrok-free.app' }] })).listen(4040, '127.0.0.1')`

test('the card shows other tunnels, whether the router leads the house back in, and IPv6 alone', async ({
  app,
  home,
}) => {
  test.skip(noLab !== undefined, noLab)
  const status = startOn(home.host.enter, [process.execPath, '-e', STATUS], {
    env: { LD_LIBRARY_PATH: '' },
  })
  for (const port of [20241, 4040])
    await listening(home.namespaces, 'host', `127.0.0.1:${port}`, status)
  const page = await loaded(app)
  await signInAtWindow(page)
  expect(await switchSharing(app)).toBe(true)
  await page.goto(new URL('/host', page.url()).href)

  await test.step('tunnels of other programs, with their limits', async () => {
    const cloudflared = card(page).getByRole('group', { name: 'Tunnel of cloudflared' })
    await expect(cloudflared).toContainText('https://quick-brown-fox.trycloudflare.com/')
    await expect(card(page).getByRole('group', { name: 'Tunnel of ngrok' })).toContainText(
      'https://abc123.ngrok-free.app/',
    )
  })

  const homeLink = card(page).getByRole('button', { name: 'Copy home link' })
  await test.step('a home link where the router does not lead the house back in', async () => {
    await open(page)
    await expect(line(page)).toHaveText('The port is open, but not tested from outside yet.')
    await expect(homeLink).toBeVisible()
  })

  await test.step('none where it does', async () => {
    const port = await page.evaluate(async () => {
      const { internet } = (await (await fetch('/api/host/internet')).json()) as {
        internet: { local: { port: number } }
      }
      return internet.local.port
    })
    await card(page).getByRole('button', { name: 'Stop' }).click()
    home.router.hairpin(443, { address: home.host.address, port })
    await open(page)
    await expect(card(page).getByLabel('Public address')).toHaveText(
      `https://${home.router.outside}`,
    )
    await expect(homeLink).toHaveCount(0)
    await card(page).getByRole('button', { name: 'Stop' }).click()
    home.router.hairpin(443, undefined)
  })

  await test.step('IPv6 alone behind a shared address', async () => {
    home.router.carrierNat()
    await home.router.start()
    await open(page)
    await expect(line(page)).toHaveText('Only people with IPv6 can reach this host.')
    await expect(card(page).getByLabel('Public address')).toContainText(
      `http://[${home.host.address6}]:`,
    )
    await expect(card(page).getByRole('button', { name: 'Use a tunnel' })).toBeVisible()
  })
})
