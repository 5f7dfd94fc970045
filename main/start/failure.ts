import { app, dialog } from 'electron'
import { hostLog } from '../../server'

/** Scripts and tests start Slipway with this switch: nobody is there to answer a dialog. */
const NO_DIALOG = '--no-dialog'

/** Whether somebody may be asked or told something in a dialog. */
export const mayShowDialogs = () => !process.argv.includes(NO_DIALOG)

/** The person knows why Slipway cannot start, and has chosen to end it. */
export class GivenUpError extends Error {
  override readonly name = 'GivenUpError'
}

/** Says in one sentence why Slipway cannot start, and ends it. */
export async function failToStart(error: unknown): Promise<void> {
  const message = error instanceof Error ? error.message : String(error)
  hostLog.recordFailure('Slipway cannot start', error)
  console.error(`Slipway cannot start: ${message}`)
  if (mayShowDialogs() && !(error instanceof GivenUpError)) {
    await app.whenReady()
    // Not showErrorBox: while that one is open, the process does not even hear a SIGTERM.
    await dialog.showMessageBox({ type: 'error', message: 'Slipway cannot start', detail: message })
  }
  app.exit(1)
}
