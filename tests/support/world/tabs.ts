import { setTimeout as delay } from 'node:timers/promises'
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  CDPSession,
  Frame,
  Page,
} from 'playwright/test'

/** What may differ between tests. */
type Option =
  | 'baseURL'
  | 'colorScheme'
  | 'extraHTTPHeaders'
  | 'hasTouch'
  | 'isMobile'
  | 'javaScriptEnabled'
  | 'locale'
  | 'userAgent'
  | 'viewport'
/** What a context starts with. */
export type TabOptions = { [name in Option]?: BrowserContextOptions[name] | undefined }
type Method = (...args: never[]) => unknown
interface Emitter {
  eventNames(): string[]
  listeners(name: string): Method[]
  removeListener(name: string, listener: Method): unknown
}

/** So many contexts wait for their next test. */
const MOST_IDLE = 4
/** In ms. A page that does not leave for so long waits for something that does not come. */
const CLEAN_WITHIN = 5_000

/**
 * Calls of a context, its page, clock, keyboard and mouse whose effect cannot be undone: no other
 * test gets the context.
 */
const LASTING = [
  ...[
    'addInitScript',
    'exposeBinding',
    'exposeFunction',
    'newCDPSession',
    'routeFromHAR',
    'routeWebSocket',
  ],
  ...[
    'grantPermissions',
    'setExtraHTTPHeaders',
    'setGeolocation',
    'setHTTPCredentials',
    'setOffline',
  ],
  ...['setDefaultNavigationTimeout', 'setDefaultTimeout', 'addLocatorHandler', 'down'],
  ...['install', 'pauseAt', 'setFixedTime', 'setSystemTime'],
]

interface Tab {
  context: BrowserContext
  page: Page
  devtools: CDPSession
  key: string
  origin: string
  size: ReturnType<Page['viewportSize']>
  colorScheme: TabOptions['colorScheme']
  /** Whether something in it lasts that the next test would notice. */
  isSpent: boolean
  /** Removes the listeners that have been added since the tab was new. */
  forgetListeners: () => void
}

const idle: Tab[] = []
const lent = new Map<BrowserContext, Tab>()

/**
 * A browser context with one page, as if it were new: no cookies, storage, history, permissions or
 * listeners. It may have served an earlier test, so that its process has compiled the app and its
 * cache has the assets, which change name with their content: opening the app costs half.
 */
export async function borrowContext(
  browser: Browser,
  options: TabOptions,
): Promise<BrowserContext> {
  const key = JSON.stringify(options)
  const at = idle.findIndex((tab) => tab.key === key && tab.context.browser() === browser)
  const tab = idle.splice(at, at < 0 ? 0 : 1)[0] ?? (await openTab(browser, options, key))
  lent.set(tab.context, tab)
  return tab.context
}

/**
 * Leaves the pages and forgets what the test has done in the context; closes it where that is not
 * possible.
 */
export async function returnContext(context: BrowserContext): Promise<void> {
  const tab = lent.get(context)
  if (!lent.delete(context) || !tab) return
  if (await isCleaned(tab)) idle.push(tab)
  else await context.close()
  while (idle.length > MOST_IDLE) await idle.shift()?.context.close()
}

/** The same for all contexts on this host, which is about to end. */
export async function returnContextsOf(origin: string): Promise<void> {
  for (const tab of [...lent.values()]) if (tab.origin === origin) await returnContext(tab.context)
}

/** A context that only this test uses. */
export const openContext = (browser: Browser, options: TabOptions): Promise<BrowserContext> =>
  browser.newContext(options as BrowserContextOptions)

async function openTab(browser: Browser, options: TabOptions, key: string): Promise<Tab> {
  const context = await openContext(browser, options)
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  // Pages load only what they show: tests open few of the pages that people may open next.
  await devtools.send('Emulation.setDataSaverOverride', { dataSaverEnabled: true })
  const origin = options.baseURL ?? ''
  const given = { key, origin, size: page.viewportSize(), colorScheme: options.colorScheme }
  const tab: Tab = { context, page, devtools, ...given, isSpent: false, forgetListeners }
  const spend = () => void (tab.isSpent = true)
  const watchOrigins = (opened: Page) =>
    opened.on(
      'framenavigated',
      (frame) => originOf(frame) !== 'null' && originOf(frame) !== origin && spend(),
    )
  watchOrigins(page)
  context.on('page', watchOrigins)
  for (const object of [context, page, page.clock, page.keyboard, page.mouse])
    watchCalls(object, spend)
  const forget = [context, page].map((emitter) => watchListeners(emitter as unknown as Emitter))
  function forgetListeners(): void {
    for (const it of forget) it()
  }
  return tab
}

/** That of a blank page is "null". */
const originOf = (frame: Frame): string => URL.parse(frame.url())?.origin ?? 'null'

async function isCleaned(tab: Tab): Promise<boolean> {
  const [page, ...others] = tab.context.pages()
  if (tab.isSpent || page !== tab.page) return false
  const late = new AbortController()
  const cleaned = Promise.all(others.map((other) => other.close())).then(async () => cleanTab(tab))
  try {
    return await Promise.race([cleaned, delay(CLEAN_WITHIN, false, { signal: late.signal })])
  } catch {
    return false
  } finally {
    late.abort()
  }
}

async function cleanTab({
  context,
  page,
  devtools,
  origin,
  size,
  colorScheme = null,
  forgetListeners,
}: Tab): Promise<boolean> {
  forgetListeners()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  // `goto` can wait for ever while the page is leaving for a blank one by itself.
  await devtools.send('Page.stopLoading')
  // A page without scripts, at whose origin the storage of the tab is.
  await page.goto(`${origin}/favicon.svg`)
  await page.evaluate(() => {
    sessionStorage.clear()
    window.name = ''
  })
  await page.goto('about:blank')
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await devtools.send('Page.resetNavigationHistory')
  await page.mouse.move(-1, -1)
  await context.clearCookies()
  if (size) await page.setViewportSize(size)
  await page.emulateMedia({
    media: null,
    colorScheme,
    reducedMotion: null,
    forcedColors: null,
    contrast: null,
  })
  return true
}

/** Tells when one of them is called. */
function watchCalls(object: object, called: () => void): void {
  for (const name of LASTING) {
    const method: unknown = Reflect.get(object, name)
    if (typeof method !== 'function') continue
    Reflect.set(object, name, (...args: unknown[]): unknown => {
      called()
      const result: unknown = Reflect.apply(method, object, args)
      return result
    })
  }
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
