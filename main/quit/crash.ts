import { performance } from 'node:perf_hooks'
import { app, dialog } from 'electron'
import { hostLog, type RunningServer } from '../../server'
import { mayShowDialogs } from '../start/failure'
import { closeInTime } from './quit'

/** A host that broke so soon after its start would most likely break again: it asks first, in ms. */
const SOON_MS = 60_000
/** Tells the next start that an error ended the one before. */
const AFTER_ERROR = '--after-error'

let running: RunningServer | undefined
let isEnding = false

/**
 * On an uncaught error the state is unknown, so the server closes and Slipway restarts
 * (https://nodejs.org/api/process.html#warning-using-uncaughtexception-correctly).
 */
export function endOnUncaughtErrors(): void {
  // A closed output pipe must not stop the host.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  process.on('uncaughtException', (err) => void endAfter(err, 'uncaught error'))
  process.on('unhandledRejection', (err) => void endAfter(err, 'unhandled rejection'))
  app.on('child-process-gone', (_event, details) => {
    // Processes of Chromium also end because we do.
    if (details.reason !== 'clean-exit') hostLog.warn(details, 'a helper process crashed')
  })
}

/** From now on this server is closed before an error ends us. */
export function closeOnUncaughtErrors(server: RunningServer): void {
  running = server
}

/** Whether this start follows an error that ended the one before. */
export const isAfterError = () => process.argv.includes(AFTER_ERROR)

async function endAfter(err: unknown, what: string): Promise<void> {
  hostLog.error({ err }, what)
  if (isEnding) return
  isEnding = true
  if (running) await closeInTime(running)
  try {
    if (await shouldStartAgain(err)) app.relaunch({ args: [...withoutOurs(process.argv.slice(1)), AFTER_ERROR] })
  } finally {
    app.exit(1)
  }
}

/** Where nobody may be asked, whoever started us decides by the exit code. */
async function shouldStartAgain(err: unknown): Promise<boolean> {
  if (!mayShowDialogs()) return false
  if (performance.now() > SOON_MS) return true
  await app.whenReady()
  const { response } = await dialog.showMessageBox({
    type: 'error',
    message: 'Slipway stopped because of an error',
    detail: `${err instanceof Error ? err.message : String(err)}\n\nAll saved data is intact. The log is in the data folder.`,
    buttons: ['Restart', 'Quit'],
    cancelId: 1,
  })
  return response === 0
}

const withoutOurs = (args: string[]) => args.filter((arg) => arg !== AFTER_ERROR)
