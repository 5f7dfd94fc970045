import type { Browser, Page } from 'playwright'

/** Compressed bytes of script that the first view of a signed-in page may load. */
export const MOST_FIRST_SCRIPT = 150_000
/** Cumulative layout shift, by https://web.dev/articles/cls. */
export const MOST_SHIFT = 0.05

const SIZES = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
]

interface FirstView {
  script: number
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
  { cookie }: { cookie: string },
): Promise<FirstView> {
  let script = 0
  let shift = 0
  for (const viewport of SIZES) {
    const context = await browser.newContext({ viewport, extraHTTPHeaders: { cookie } })
    const page = await context.newPage()
    await page.addInitScript(watchShifts)
    script = Math.max(script, await weigh(page, url))

    // Resources that load while the page is idle must not move it either.
    await page.waitForLoadState('networkidle')
    shift = Math.max(
      shift,
      await page.evaluate(() => (globalThis as unknown as { shift: number }).shift),
    )
    await context.close()
  }

  const objections = [
    ...(script > MOST_FIRST_SCRIPT
      ? [`loads ${Math.round(script / 1000)} kB of script first`]
      : []),
    ...(shift >= MOST_SHIFT ? [`moves by ${shift.toFixed(3)}`] : []),
  ]
  return { script, shift: Math.round(shift * 1000) / 1000, objections }
}

/** The scripts that came before the mark of the page (renderer/lib/browser/first-view.ts). */
async function weigh(page: Page, url: string): Promise<number> {
  await page.goto(url)
  await page.waitForFunction(() => performance.getEntriesByName('first-view').length > 0)

  return page.evaluate(() => {
    const [mark] = performance.getEntriesByName('first-view')
    const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    return resources
      .filter(
        ({ name, startTime }) =>
          new URL(name).pathname.endsWith('.js') && startTime < (mark?.startTime ?? 0),
      )
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
  })
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
