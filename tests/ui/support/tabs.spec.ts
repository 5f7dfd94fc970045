import type { Page } from 'playwright/test'
import { borrowContext, returnContext } from '../../support/world/tabs'
import { expect, test } from '../../support/world/page'

test.use({ person: 'visitor' })

/** What a page can see of those that were open in its context before. */
const tracesIn = (page: Page) =>
  page.evaluate(async () => ({
    stored: [...Object.keys(localStorage), ...Object.keys(sessionStorage)],
    databases: (await indexedDB.databases()).length,
    caches: await caches.keys(),
    cookies: document.cookie,
    name: window.name,
    visited: history.length,
    width: innerWidth,
    isDark: matchMedia('(prefers-color-scheme: dark)').matches,
  }))

test('a test sees nothing of the one that had its context before', async ({ browser, host }) => {
  const open = async () => (await borrowContext(browser, { baseURL: host.url })).pages()[0]!
  const page = await open()
  await page.goto('/browse')
  const atFirst = await tracesIn(page)
  await page.setViewportSize({ width: 360, height: 740 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.route('**/browse', (route) => route.abort())
  await page.evaluate(async () => {
    localStorage.setItem('left', 'here')
    sessionStorage.setItem('left', 'here')
    document.cookie = 'left=here'
    window.name = 'left'
    await caches.open('left')
    await new Promise((opened) => (indexedDB.open('left').onsuccess = opened))
    window.addEventListener('beforeunload', (event) => event.preventDefault())
  })
  await page.goto('/login')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await returnContext(page.context())

  const next = await open()
  expect(next).toBe(page)
  await next.goto('/browse')
  expect(await tracesIn(next)).toEqual(atFirst)
  expect(asked).toEqual([])
})

test('a context is thrown away after what cannot be undone', async ({ browser, host }) => {
  const endings: Record<string, (page: Page) => Promise<unknown>> = {
    'a script for every page': (page) => page.addInitScript('0'),
    'a clock': (page) => page.clock.install(),
    'a permission': (page) => page.context().grantPermissions(['clipboard-read']),
    'a key that is down': (page) => page.keyboard.down('Shift'),
    'another origin': (page) => page.goto(host.url.replace('127.0.0.1', 'localhost')),
    'a question that nobody answers': async (page) => {
      const asked = page.waitForEvent('dialog')
      await page.goto('/browse')
      await page.evaluate(() => void setTimeout(() => alert('Still here?')))
      await asked
    },
  }
  for (const [name, end] of Object.entries(endings)) {
    const context = await borrowContext(browser, { baseURL: host.url })
    await end(context.pages()[0]!)
    await returnContext(context)
    expect(browser.contexts(), name).not.toContain(context)
  }
})
