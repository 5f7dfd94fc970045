import { performance } from 'node:perf_hooks'
import { app, dialog } from 'electron'
import { hostLog, type RunningServer } from '../../server'
import { mayShowDialogs } from '../failure'
import { closeInTime } from './quit'

const SOON_MS = 60_000
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
    // Chromium's processes also end when we quit.
    if (details.reason !== 'clean-exit') hostLog.warn(details, 'a helper process crashed')
  })
}

export function closeOnUncaughtErrors(server: RunningServer): void {
  running = server
}

export const isAfterError = () => process.argv.includes(AFTER_ERROR)

async function endAfter(err: unknown, what: string): Promise<void> {
  hostLog.error({ err }, what)
  if (isEnding) return
  isEnding = true
  if (running) await closeInTime(running)
  try {
    if (await shouldStartAgain(err))
      app.relaunch({ args: [...withoutOurs(process.argv.slice(1)), AFTER_ERROR] })
  } finally {
    app.exit(1)
  }
}

/** Without dialogs, the exit code lets the supervisor decide. */
async function shouldStartAgain(err: unknown): Promise<boolean> {
  if (!mayShowDialogs()) return false
  if (performance.now() > SOON_MS) return true
  await app.whenReady()

  const { response } = await dialog.showMessageBox({
    type: 'error',
    message: 'Slipway stopped because of an error',
    detail:
      `${err instanceof Error ? err.message : String(err)}\n\nAll saved data is intact. The ` +
      'log is in the data folder.',
    buttons: ['Restart', 'Quit'],
    cancelId: 1,
  })

  return response === 0
}

const withoutOurs = (args: string[]) => args.filter((arg) => arg !== AFTER_ERROR)
