import type { Page, Route } from 'playwright/test'

/**
 * Interrupts the calls to an address until the returned function is called. Not by `unroute`: it
 * drops every request that waits at that moment, such as for a script of the page.
 */
export async function interrupt(
  page: Page,
  address: string | RegExp,
  how = (route: Route): Promise<void> => route.abort(),
): Promise<() => void> {
  let isOver = false
  await page.route(address, (route) => (isOver ? route.fallback() : how(route)))
  return () => void (isOver = true)
}
