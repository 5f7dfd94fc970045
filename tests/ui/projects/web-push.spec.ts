import type { Page } from 'playwright/test'
import { objectionsAtEverySize } from '../support/axe'
import { aBuild, aPublicProject, expect, visitorTest as test } from '../../support/world/page'

// Workers and permissions belong to a context.
test.use({ sharesContext: false })

const TURN_ON = { name: 'Notify me in this browser' }

async function openNotices(page: Page, door: string): Promise<void> {
  await page.goto(door)
  await page.getByText('Get notified of new releases').click()
  await expect(page.getByText('browser, feed')).toBeVisible()
}

test('a tester reads why a browser cannot subscribe, and its worker shows what is sent', async ({
  alice,
  complaints,
  context,
  host,
  page,
}) => {
  const project = await aPublicProject(alice)
  await aBuild(alice, project, 'lantern-1.4.1.apk', { version: '1.4.1' })
  const { url } = await alice.testers.create({ id: project.project_id, name: 'Berlin' })
  const door = new URL(url).pathname
  await openNotices(page, door)
  await expect(page.getByText('The browser asks you first.')).toBeVisible()
  expect(await objectionsAtEverySize(page)).toEqual([])
  // A page without the choice has no script, which would start the app there.
  expect(await (await page.request.get(`${door}/releases`)).text()).not.toContain('<script')

  // Chromium subscribes in no context of a test, as in no private window.
  await context.grantPermissions(['notifications'], { origin: host.url })
  await page.getByRole('button', TURN_ON).click()
  await expect(page.getByRole('alert')).toContainText('The browser could not subscribe: ')
  await expect(page.getByRole('button', TURN_ON)).toBeVisible()
  expect(host.inside.library.collection('subscribers').size).toBe(0)

  complaints.length = 0

  // Nor does it show a notification there: what the worker asks for is kept.
  const [worker] = context.serviceWorkers()
  if (!worker) throw new Error('The page has started no worker')
  await worker.evaluate(() => {
    const { registration } = self as unknown as { registration: ServiceWorkerRegistration }
    registration.showNotification = (...shown) =>
      Promise.resolve(void Object.assign(self, { shown }))
  })

  const client = await context.newCDPSession(page)
  const registration = new Promise<string>((resolve) => {
    client.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first?.scopeURL === `${host.url}/push/`) resolve(first.registrationId)
    })
  })
  await client.send('ServiceWorker.enable')
  await client.send('ServiceWorker.deliverPushMessage', {
    origin: host.url,
    registrationId: await registration,
    data: JSON.stringify({
      ...{ tag: 'one', title: 'Lantern 1.5.0 is available', text: 'Fixes <b>login</b>.' },
      ...{ path: `${door}/releases/1.5.0`, end: '/n/none/end' },
    }),
  })
  await expect
    .poll(() => worker.evaluate(() => (self as { shown?: unknown }).shown))
    .toMatchObject([
      'Lantern 1.5.0 is available',
      { body: 'Fixes <b>login</b>.', tag: 'one', data: { end: '/n/none/end' } },
    ])
})

test('a tester ends the notifications of a browser, also where they have ended elsewhere', async ({
  alice,
  complaints,
  host,
  page,
}) => {
  const project = await aPublicProject(alice)
  const { url } = await alice.testers.create({ id: project.project_id, name: 'Berlin' })
  const door = new URL(url).pathname
  const keys = { p256dh: P256DH, auth: 'A'.repeat(22) }
  const subscribe = async () => {
    const data = { endpoint: 'https://push.example/kim', keys }
    const reply = await page.request.post(`${host.url}${door}/push`, { data })
    const { notice_path: notices } = (await reply.json()) as { notice_path: string }
    await page.goto(door)
    await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
      `slipway.push:${door}/push`,
      notices,
    ] as const)
    await openNotices(page, door)
    return notices
  }
  const subscribers = () => host.inside.library.collection('subscribers').size

  await subscribe()
  await expect(page.getByText('This browser gets notifications.')).toBeVisible()
  await page.getByRole('button', { name: 'Stop notifications' }).click()
  await expect(page.getByRole('button', TURN_ON)).toBeVisible()
  expect(subscribers()).toBe(0)

  await page.goto(await subscribe())
  await expect(page.getByRole('heading', { name: 'You get notifications' })).toBeVisible()
  await page.getByRole('button', { name: 'Stop these notifications' }).click()
  await expect(page.getByRole('heading', { name: 'These messages have stopped' })).toBeVisible()
  expect(subscribers()).toBe(0)
  await openNotices(page, door)
  await expect(page.getByRole('button', TURN_ON)).toBeVisible()
  // Its page is gone, as Chromium notes.
  complaints.length = 0
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('a tester is offered the feed only', async ({ alice, page }) => {
    const project = await aPublicProject(alice)
    const { url } = await alice.testers.create({ id: project.project_id, name: 'Berlin' })
    await page.goto(new URL(url).pathname)
    await page.getByText('Get notified of new releases').click()
    await expect(page.getByRole('link', { name: 'Feed (Atom)' })).toBeVisible()
    await expect(page.getByRole('button', TURN_ON)).toBeHidden()
  })
})

/** The public key of the example in RFC 8291. */
const P256DH =
  'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'
