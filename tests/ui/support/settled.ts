import { expect, type Page, type Request } from 'playwright/test'

/**
 * Opens a page and waits until the app has loaded it: a heading, no loading indicator, no request
 * in progress.
 */
export async function openSettled(page: Page, path: string): Promise<void> {
  const underWay = new Set<Request>()
  const begin = (request: Request) => {
    if (request.resourceType() !== 'eventsource') underWay.add(request)
  }
  const end = (request: Request) => underWay.delete(request)
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end)
  await loadPage(page, path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await expect(async () => {
    await page
      .locator('[role=status][aria-label=Loading], .mantine-Skeleton-root')
      .first()
      .waitFor({ state: 'hidden' })
    expect(underWay.size).toBe(0)
    // An answer that has just come may lead to the next question, which is asked before the page is
    // idle.
    await page.evaluate(() => new Promise<void>((idle) => requestIdleCallback(() => idle())))
    expect(underWay.size).toBe(0)
  }).toPass({ intervals: [50] })
  page.off('request', begin).off('requestfinished', end).off('requestfailed', end)
}

async function loadPage(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await startApp(page)
}

/**
 * Opens a page as links of the app do: only the first of a test loads the app. Not for
 * `openSettled`: the end of a request that the page before began was once not told.
 */
export async function walkTo(page: Page, path: string): Promise<void> {
  if (page.url() === 'about:blank') return loadPage(page, path)
  await startApp(page)
  await page.evaluate((to) => {
    document.title = ''
    history.pushState(null, '', to)
    window.dispatchEvent(new PopStateEvent('popstate'))
  }, path)
}

/**
 * Moves the mouse, which starts the app on a page that the server wrote, and waits for the app.
 * Login and registration stay.
 */
export async function startApp(page: Page): Promise<void> {
  if (await page.locator('.account:not([hidden])').isVisible()) return
  await page.mouse.move(2, 2)
  await page.mouse.move(3, 3)
  await page.locator('link[href*="/visitor-"]').waitFor({ state: 'detached' })
  // Before its first render the app follows no address.
  await page.locator('#root > *').first().waitFor({ state: 'attached' })
}
