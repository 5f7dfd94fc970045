import type { ElectronApplication, TestInfo } from 'playwright/test'

const open = new Set<ElectronApplication>()

/** From now on a test that fails keeps a picture of this app's windows, until it closes. */
export function watchForPictures(app: ElectronApplication): ElectronApplication {
  open.add(app)
  return app.on('close', () => void open.delete(app))
}

/**
 * Keeps what the open windows show where the test has failed. Playwright's own setting takes a
 * picture of every app that closes, also in tests that pass, and waits seconds for one of a window
 * that is hidden.
 */
export async function keepPictures(info: TestInfo): Promise<void> {
  if (info.status === info.expectedStatus) return
  for (const [index, page] of [...open].flatMap((app) => app.windows()).entries()) {
    const path = info.outputPath(`window-${index + 1}.png`)
    await page.screenshot({ path, timeout: 5000 }).catch(() => undefined)
  }
}
