import type { Browser, Page } from 'playwright'

/** Compressed bytes of script that the first view of a signed-in page may load. */
export const MOST_FIRST_SCRIPT = 150_000
/** With the parser of Markdown, before which each text would appear as its source. */
export const MOST_WITH_MARKDOWN = 160_000
/** Files of scripts and styles that it may load. */
export const MOST_FILES = 25
/** Calls: the page brings their replies along. */
export const MOST_CALLS = 1
/** Until the heading can be read on a slow line, in ms. */
export const MOST_HEADING = 3500
/** A slow 3G: 400 kbit/s each way, and 400 ms until an answer begins. */
const SLOW_LINE = { latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }
/** Cumulative layout shift, by https://web.dev/articles/cls. */
export const MOST_SHIFT = 0.05

/** How long a page may go on loading, in ms. */
const IDLE_MS = 5000

const PHONE = { width: 360, height: 740 }
const SIZES = [PHONE, { width: 1280, height: 800 }]

/** What makes a request that of a signed-in person. */
export type Headers = Readonly<Record<string, string>>

interface FirstView {
  script: number
  files: number
  calls: number
  /** On a slow line, in ms. */
  heading: number
  /** The largest of all sizes. */
  shift: number
  objections: string[]
}

/**
 * Opens a page without a cache, signed in, at each size. Weighs the scripts that come before it is
 * complete.
 */
export async function firstView(
  browser: Browser,
  url: string,
  headers: Headers,
): Promise<FirstView> {
  const mostScript = url.endsWith('/releases') ? MOST_WITH_MARKDOWN : MOST_FIRST_SCRIPT
  let weight = { script: 0, files: 0, calls: 0 }
  let shift = 0
  for (const viewport of SIZES) {
    const context = await browser.newContext({ viewport, extraHTTPHeaders: headers })
    const page = await context.newPage()
    await page.addInitScript(watchShifts)
    weight = await weigh(page, url)

    // Resources that load while the page is idle must not move it either.
    // The overview of the host keeps a stream open.
    await page.waitForLoadState('networkidle', { timeout: IDLE_MS }).catch(() => undefined)
    shift = Math.max(
      shift,
      await page.evaluate(() => (globalThis as unknown as { shift: number }).shift),
    )
    await context.close()
  }

  const { script, files, calls } = weight
  const heading = await timeHeading(browser, url, headers)

  const objections = [
    ...(script > mostScript ? [`loads ${Math.round(script / 1000)} kB of script first`] : []),
    ...(files > MOST_FILES ? [`loads ${files} files of code first`] : []),
    ...(calls > MOST_CALLS ? [`makes ${calls} calls first`] : []),
    ...(heading > MOST_HEADING ? [`has its heading after ${heading} ms on a slow line`] : []),
    ...(shift >= MOST_SHIFT ? [`moves by ${shift.toFixed(3)}`] : []),
  ]
  return { ...weight, heading, shift: Math.round(shift * 1000) / 1000, objections }
}

/** What came before the mark of the page (renderer/lib/browser/first-view.ts). */
async function weigh(
  page: Page,
  url: string,
): Promise<Pick<FirstView, 'script' | 'files' | 'calls'>> {
  await page.goto(url)
  await page.waitForFunction(() => performance.getEntriesByName('first-view').length > 0)

  // No function in it may have a name: tsx would call a helper that the page lacks.
  const { markedAt, entries } = await page.evaluate(() => ({
    markedAt: performance.getEntriesByName('first-view')[0]?.startTime ?? 0,
    entries: (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).map(
      ({ name, startTime, encodedBodySize }) => ({ name, startTime, encodedBodySize }),
    ),
  }))

  // `import()` reads what a page has fetched again from the cache.
  const first = new Map(
    entries
      .filter(({ startTime }) => startTime < markedAt)
      .map((entry) => [new URL(entry.name).pathname, entry]),
  )
  const find = (pattern: RegExp) => [...first].filter(([path]) => pattern.test(path))
  return {
    script: find(/\.js$/).reduce((sum, [, { encodedBodySize }]) => sum + encodedBodySize, 0),
    files: find(/\.(js|css)$/).length,
    calls: find(/^\/api\/(?!.*\/icon$)/).length,
  }
}

/** How long the heading of a page takes on a slow line, without a cache, in ms. */
async function timeHeading(browser: Browser, url: string, headers: Headers): Promise<number> {
  const context = await browser.newContext({ viewport: PHONE, extraHTTPHeaders: headers })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.emulateNetworkConditions', { offline: false, ...SLOW_LINE })

  const begun = performance.now()
  await page.goto(url, { waitUntil: 'commit' })
  await page.locator('h1').first().waitFor()
  const heading = Math.round(performance.now() - begun)
  await context.close()
  return heading
}

function watchShifts(): void {
  Object.assign(globalThis, { shift: 0 })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number
      hadRecentInput: boolean
    })[])
      if (!entry.hadRecentInput) (globalThis as unknown as { shift: number }).shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
}
