import { useEffect, useState } from 'react'

const LOADING = '[role=status][aria-label=Loading], .mantine-Skeleton-root'
/** Interval and time limit of the checks, in ms: deferred parts must load eventually. */
const LOOK_MS = 100
const AT_MOST_MS = 4000

/** Whether the page shows its main content. */
const isComplete = (page: ParentNode): boolean =>
  page.querySelector('h1') !== null && page.querySelector(LOADING) === null

let isOver = false
let over: Promise<void> | undefined

/** Resolves once the first page is complete and the browser has time for more. */
const firstView = (): Promise<void> =>
  (over ??= new Promise((resolve) => {
    const began = performance.now()
    const timer = setInterval(() => {
      if (!isComplete(document) && performance.now() - began < AT_MOST_MS) return
      clearInterval(timer)
      // Read by `npm run lighthouse`, which weighs what was loaded before.
      performance.mark('first-view')
      isOver = true
      whenIdle(resolve)
    }, LOOK_MS)
  }))

/** False until the first page that was opened is complete. */
export function useFirstView(): boolean {
  const [isDone, setDone] = useState(isOver)
  useEffect(() => void firstView().then(() => setDone(true)), [])
  return isDone
}

/**
 * Loads one after another while the browser has nothing else to do, unless the person saves data. A
 * failure is left to the page that needs it.
 */
export async function loadWhileIdle(loaders: readonly (() => Promise<unknown>)[]): Promise<void> {
  // Supported by Chromium only.
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  if (connection?.saveData === true) return
  for (const load of loaders) {
    await new Promise<void>(whenIdle)
    await load().catch(() => undefined)
  }
}

function whenIdle(run: () => void): void {
  // Not supported by Safari.
  if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: AT_MOST_MS })
  else setTimeout(run, LOOK_MS)
}
