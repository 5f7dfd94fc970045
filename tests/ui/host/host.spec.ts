import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import type { Client } from '../../../renderer/lib/client/api-client'
import type { TestServer } from '../../support/world/test-server'
import { answer, aPublicProject, expect, test as browserTest } from '../../support/world/page'
import { interrupt } from '../support/interrupt'
import { test } from '../support/window-world'

/** Larger than the socket buffers of both sides. */
const LARGE = 30_000_000

/** A visitor's download that waits after its start. */
async function begunDownload(
  host: TestServer,
  alice: Client,
  filename = 'lantern.apk',
): Promise<IncomingMessage> {
  const file = new File([randomBytes(LARGE)], filename)
  const { file_id } = await alice.files.upload({ file, is_public: 'true' })
  return new Promise((resolve) =>
    get(`${host.url}/api/files/${file_id}/download`, (response) => resolve(response.pause())),
  )
}

const state = (page: Page) => page.getByRole('region', { name: 'State' })
const moving = (page: Page) => page.getByRole('region', { name: 'Active transfers' })

test('the host page shows that nothing is transferred, who can reach it, and the free space', async ({
  page,
}) => {
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('link', { name: 'Host', exact: true }).click()
  await expect(page).toHaveURL('/host')
  await expect(page).toHaveTitle('Host · Slipway')
  await expect(state(page)).toContainText('This computer only')
  await expect(state(page)).toContainText(/[\d.]+ GB of [\d.]+ GB disk space left/)
  await expect(moving(page)).toContainText('appear here while they run')
  await expect(page.getByRole('region', { name: 'Recent transfers' })).toContainText(
    'No transfers since this host started.',
  )
  await expect(page.getByText('Other devices cannot reach this host now')).toBeVisible()
  await expect(page.getByRole('row', { name: /This computer only Works/ })).toBeVisible()
})

test('a download appears while it runs, can be stopped, and is then recent', async ({
  page,
  host,
  alice,
}) => {
  await page.goto('/host')
  await expect(state(page)).toBeVisible()
  const long = await begunDownload(host, alice, `${'a-very-long-name-'.repeat(12)}.apk`)
  await page.setViewportSize({ width: 360, height: 740 })
  await expect(moving(page).getByRole('listitem')).toContainText('a-very-long-name')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await page.setViewportSize({ width: 1280, height: 720 })
  long.destroy()
  await expect(moving(page)).toContainText('appear here while they run')
  const download = await begunDownload(host, alice)
  const ended = new Promise((resolve) => download.once('error', resolve))
  const row = moving(page).getByRole('row', { name: /lantern\.apk/ })
  await expect(row).toContainText('Visitor at 127.0.0.1')
  await expect(row).toContainText('of 28.61 MB')
  await expect(state(page)).toContainText('1 download, ')

  await row.getByRole('button', { name: 'End lantern.apk for Visitor at 127.0.0.1' }).click()
  await answer(page, 'lantern.apk stops for Visitor at 127.0.0.1 immediately', 'End download')
  download.resume()
  await ended
  await expect(row).toHaveCount(0)
  const last = page
    .getByRole('region', { name: 'Recent transfers' })
    .getByRole('row', { name: /lantern\.apk/ })
  await expect(last.first()).toContainText('Ended by you')
})

test('sharing beside a link opens the host, and pauses on its page', async ({
  page,
  host,
  alice,
  complaints,
}) => {
  const { slug } = await aPublicProject(alice)
  await page.goto(`/p/${slug}`)
  await expect(page.getByLabel('Share link')).toHaveValue(`${host.url}/p/${slug}`)
  await page.getByRole('button', { name: 'Share on this network' }).click()
  await expect(page.getByRole('button', { name: 'Share on this network' })).toHaveCount(0)
  await expect(page.getByLabel('Share link')).toHaveValue(
    `${host.inside.addresses.best() ?? host.url}/p/${slug}`,
  )

  await page.goto('/host')
  await expect(state(page)).toContainText('Online · No transfers right now')
  expect(host.inside.bound().host).toBe('0.0.0.0')
  const best = host.inside.addresses.best()
  if (best !== undefined) {
    await expect(page.getByLabel('Best address')).toHaveText(best)
    // A machine can be in several networks.
    await expect(page.getByText(/Phones and computers on this/).first()).toBeVisible()
  }
  await page.getByRole('button', { name: 'Pause sharing' }).click()
  await expect(state(page)).toContainText('This computer only')
  expect(host.inside.bound().host).toBe('127.0.0.1')
  // A listener that closes resets or refuses connections until the next one listens; the page asks
  // again.
  complaints.splice(
    0,
    Infinity,
    ...complaints.filter((it) => !/ERR_CONNECTION_(RESET|REFUSED)/.test(it)),
  )
})

test('settings of a restored backup wait until they are accepted', async ({ page, host }) => {
  const updateFeed = 'https://feed.example/api/projects/slipway/latest'
  const held = {
    public_url: null,
    trusted_proxies: ['10.0.0.2', '10.1.0.0/16'],
    update_feed: updateFeed,
  }
  await writeFile(join(host.dataDir, 'restored-settings.json'), JSON.stringify(held))
  await page.goto('/host')
  const card = page.getByRole('region', { name: 'Settings from the backup' })
  await expect(card).toContainText('10.0.0.2, 10.1.0.0/16')
  await expect(card).toContainText(updateFeed)
  await expect(card).not.toContainText('Public URL')
  expect(host.inside.settings.get().trusted_proxies).toEqual([])

  await card.getByRole('button', { name: 'Accept' }).click()
  await expect(card).toHaveCount(0)
  expect(host.inside.settings.get()).toMatchObject(held)
})

test('says when the chosen addresses are missing, and why', async ({ page, host }) => {
  await host.inside.settings.update({ shared_addresses: ['192.0.2.77'] })
  const replied = Promise.withResolvers<undefined>()
  await page.route('**/api/host/settings', async (route) => {
    const response = await route.fetch()
    if (route.request().method() === 'PUT') await replied.promise
    await route.fulfill({ response })
  })
  await page.goto('/host')
  await page.getByRole('button', { name: 'Share on this network' }).click()
  await expect(state(page)).toContainText('This computer only · Waiting for its address')
  await expect(state(page)).toContainText(
    'You share this host only at 192.0.2.77, and this computer does not have that address now',
  )
  await page.getByRole('link', { name: 'Choose other addresses' }).click()
  await expect(page.getByLabel('Who can reach this host')).toBeFocused()
  replied.resolve(undefined)
  await expect(page.getByLabel('192.0.2.77')).toBeChecked()
})

test('the page says when the host stops responding, and updates when it returns', async ({
  page,
  complaints,
}) => {
  await page.goto('/host')
  await expect(state(page)).toBeVisible()
  const end = await interrupt(page, '**/api/host/events')
  await page.reload()
  await expect(page.getByRole('alert')).toContainText('Live updates have stopped')
  end()
  await expect(page.getByRole('alert')).toHaveCount(0)
  complaints.length = 0
})

browserTest.describe('elsewhere', () => {
  browserTest.use({ person: 'host' })

  browserTest(
    'these pages do not exist in a browser, not even for the host account',
    async ({ page, complaints }) => {
      for (const path of [
        '/host',
        '/host/people',
        '/host/data',
        '/host/settings',
        '/host/bucket',
      ]) {
        await page.goto(path)
        await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
      }
      await page.getByRole('button', { name: 'Menu' }).click()
      await expect(page.getByRole('link', { name: 'API Keys' })).toBeVisible()
      await expect(page.getByRole('link', { name: 'Host', exact: true })).toHaveCount(0)
      complaints.length = 0
    },
  )
})
