import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** Ends a browser that leads its process group. */
export async function stopBrowser(browser: ChildProcess): Promise<void> {
  if (browser.pid === undefined || browser.exitCode !== null) return
  process.kill(-browser.pid, 'SIGTERM')
  await once(browser, 'exit')
}
