import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright/test'

/** What may differ between tests. */
type Option = 'baseURL' | 'userAgent' | 'javaScriptEnabled' | 'viewport' | 'extraHTTPHeaders'
type Options = { [name in Option]?: BrowserContextOptions[name] | undefined }
type Listener = (...args: never[]) => unknown
interface Emitter {
  eventNames(): string[]
  listeners(name: string): Listener[]
  removeListener(name: string, listener: Listener): unknown
}

/** So many contexts wait for their next test. */
const MOST_IDLE = 4

interface Tab {
  context: BrowserContext
  key: string
  origin: string
  size: ReturnType<Page['viewportSize']>
  /** Removes the listeners that have been added since the tab was new. */
  forgetListeners: () => void
}

const idle: Tab[] = []
const lent = new Map<BrowserContext, Tab>()

/**
 * A browser context with one page, as if it were new: no cookies, storage, permissions or listeners. It may have served
 * an earlier test, so that its process has compiled the app and its cache has the assets, which change name with their
 * content: opening the app costs a third.
 */
export async function borrowContext(browser: Browser, options: Options): Promise<BrowserContext> {
  const key = JSON.stringify(options)
  const at = idle.findIndex((tab) => tab.key === key && tab.context.browser() === browser)
  const tab = idle.splice(at, at < 0 ? 0 : 1)[0] ?? (await openTab(browser, options, key))
  lent.set(tab.context, tab)
  return tab.context
}

/** Leaves the pages and forgets what the test has done in the context; closes it where that is not possible. */
export async function returnContext(context: BrowserContext): Promise<void> {
  const tab = lent.get(context)
  if (!lent.delete(context) || !tab) return
  const isClean = await cleanTab(tab).catch(() => false)
  if (isClean) idle.push(tab)
  else await context.close()
  while (idle.length > MOST_IDLE) await idle.shift()?.context.close()
}

/** The same for all contexts on this host, which is about to end. */
export async function returnContextsOf(origin: string): Promise<void> {
  for (const tab of [...lent.values()]) if (tab.origin === origin) await returnContext(tab.context)
}

/** A context that only this test uses. */
export const openContext = (browser: Browser, options: Options): Promise<BrowserContext> =>
  browser.newContext(options as BrowserContextOptions)

async function openTab(browser: Browser, options: Options, key: string): Promise<Tab> {
  const context = await openContext(browser, options)
  const page = await context.newPage()
  const forget = [context, page].map((emitter) => watchListeners(emitter as unknown as Emitter))
  const forgetListeners = () => forget.forEach((it) => it())
  return { context, key, origin: options.baseURL ?? '', size: page.viewportSize(), forgetListeners }
}

async function cleanTab({ context, origin, size, forgetListeners }: Tab): Promise<boolean> {
  const [page, ...others] = context.pages()
  if (!page) return false
  await Promise.all(others.map((other) => other.close()))
  forgetListeners()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(false)
  // A page without scripts, at whose origin the storage is.
  await page.goto(`${origin}/favicon.svg`)
  await page.evaluate(() => [localStorage, sessionStorage].forEach((storage) => storage.clear()))
  await page.goto('about:blank')
  await page.mouse.up()
  await page.mouse.move(-1, -1)
  await context.clearCookies()
  await context.clearPermissions()
  if (size) await page.setViewportSize(size)
  await page.emulateMedia({ media: null, colorScheme: null, reducedMotion: null, forcedColors: null, contrast: null })
  return true
}

function watchListeners(emitter: Emitter): () => void {
  const initial = new Set(emitter.eventNames().flatMap((name) => emitter.listeners(name)))
  return () => {
    for (const name of emitter.eventNames()) {
      const added = emitter.listeners(name).filter((listener) => !initial.has(listener))
      for (const listener of added) emitter.removeListener(name, listener)
    }
  }
}
