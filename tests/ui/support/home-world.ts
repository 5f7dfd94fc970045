import { once } from 'node:events'
import https from 'node:https'
import { createServer, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Locator, Page } from 'playwright/test'
import type { TestServer } from '../../support/world/test-server'
import { SmallAuthority } from '../../support/internet/small-authority'
import { SmallRouter } from '../../support/internet/small-router'
import { routersAt } from '../../support/network/small-routers'
import { expect, withHost } from '../../support/world/page'
import { test as windowTest, windowSecret } from './window-world'

/** The address of the small router on the internet, and that of a visitor there. */
export const OUTSIDE = '11.77.0.10'
const VISITOR = '11.77.0.50'

interface Home {
  router: SmallRouter
  authority: SmallAuthority
}

/**
 * `test` with the app window of a host behind a small router, and with an authority that issues
 * certificates.
 */
export const test = windowTest.extend<Home>({
  config: async ({}, use) => use({ windowSecret, rateLimits: true }),
  router: async ({}, use) => {
    const router = await SmallRouter.start({ outerAddress: OUTSIDE })
    await use(router)
    await router.close()
  },
  authority: async ({}, use) => {
    const authority = await new SmallAuthority().open()
    await use(authority)
    authority.close()
  },
  host: ({ port, config, router, authority }, use) => {
    const useHost = async (host: TestServer) => {
      const { settings } = host.inside
      await settings.update({ acme_directory: authority.directory, stun_server: '' })
      await use(host)
    }
    return withHost({ port, ...config }, useHost, true, routersAt(router))
  },
})

export const card = (page: Page): Locator => page.getByRole('region', { name: 'From anywhere' })

/** The sentence that says whether people outside reach the host. */
export const line = (page: Page): Locator => card(page).getByRole('status')

/** Opens the card's dialog, accepts the terms and starts. */
export async function openHost(page: Page, button = 'Make links work anywhere'): Promise<void> {
  await card(page).getByRole('button', { name: button }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox', { name: /I accept the terms/ }).check()
  await dialog.getByRole('button', { name: 'Start' }).click()
  await expect(dialog).toHaveCount(0)
}

/** What a visitor from outside gets at this path through the outside door. */
export async function visit(host: TestServer, path: string): Promise<string> {
  const way = createServer({ allowHalfOpen: true }, (socket) =>
    host.inside.outsideDoor.take(socket, VISITOR),
  )
  await once(way.listen(0, '127.0.0.1'), 'listening')
  const { port } = way.address() as AddressInfo
  // Clients name no server at an address (RFC 6066 §3); the authority is one of the test.
  const trust = { servername: '', rejectUnauthorized: false }
  const asked = https.get({
    host: '127.0.0.1',
    port,
    path,
    headers: { host: OUTSIDE },
    agent: false,
    ...trust,
  })
  const [answer] = (await once(asked, 'response')) as [NodeJS.ReadableStream]
  const body = await text(answer)
  way.close()
  return body
}
