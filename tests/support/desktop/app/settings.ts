import type { Page } from 'playwright/test'
import type { HostSettings } from '../../../../server/contract/index'
import { PASSWORD } from '../../world/password'

/** Signs the host account in at the window, without reloading the page. */
export async function signInAtWindow(page: Page): Promise<void> {
  const credentials = { username: 'alice', password: PASSWORD }
  const status = await page.evaluate(async (body) => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch('/api/auth/login', { method: 'POST', headers, body: JSON.stringify(body) }))
      .status
  }, credentials)
  if (status !== 200) throw new Error(`The window could not sign in: ${status}`)
}

/** Changes settings as the page of the window does; answers the status. */
export const changeSettings = (page: Page, change: Partial<HostSettings>): Promise<number> =>
  page.evaluate(async (body) => {
    const headers = { 'content-type': 'application/json' }
    return (
      await fetch('/api/host/settings', { method: 'PUT', headers, body: JSON.stringify(body) })
    ).status
  }, change)
