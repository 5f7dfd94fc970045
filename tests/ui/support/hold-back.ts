import type { Page } from 'playwright/test'

/** Holds a script back until the returned function is called. */
export async function holdBack(page: Page, script: string): Promise<() => void> {
  let send = () => {}
  const sent = new Promise<void>((resolve) => (send = resolve))
  await page.route(`**/assets/${script}-*.js`, (route) => sent.then(() => route.continue()))
  return send
}
