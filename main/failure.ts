import { app, dialog } from 'electron'
import { hostLog } from '../server'

/** Used by scripts and tests, which cannot answer a dialog. */
const WITHOUT_DIALOGS = /^--(no-dialog|smoke(=.*)?)$/

export const mayShowDialogs = () => !process.argv.some((word) => WITHOUT_DIALOGS.test(word))

/** The person has seen why Slipway cannot start, and chose to quit. */
export class GivenUpError extends Error {
  override readonly name = 'GivenUpError'
}

export async function failToStart(error: unknown): Promise<void> {
  const message = error instanceof Error ? error.message : String(error)
  hostLog.recordFailure('Slipway cannot start', error)
  console.error(`Slipway cannot start: ${message}`)
  if (mayShowDialogs() && !(error instanceof GivenUpError)) {
    await app.whenReady()
    // Not showErrorBox: while it is open, the process ignores SIGTERM.
    await dialog.showMessageBox({ type: 'error', message: 'Slipway cannot start', detail: message })
  }
  app.exit(1)
}
