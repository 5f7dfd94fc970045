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
 * Nothing dies unheard, and nothing lives on half dead: after an error that no code caught nobody knows what state we
 * are in (https://nodejs.org/api/process.html#warning-using-uncaughtexception-correctly). The server closes in order and
 * Slipway starts again.
 */
export function endOnUncaughtErrors(): void {
  // Whoever read our output may have gone; that alone ends no host.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  process.on('uncaughtException', (err) => void endAfter(err, 'an error that no code caught'))
  process.on('unhandledRejection', (err) => void endAfter(err, 'a rejection that no code caught'))
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
    message: 'Slipway had to stop because of an error',
    detail: `${err instanceof Error ? err.message : String(err)}\n\nAll that was saved is there. The log is in the data folder.`,
    buttons: ['Start again', 'Quit'],
    cancelId: 1,
  })
  return response === 0
}

const withoutOurs = (args: string[]) => args.filter((arg) => arg !== AFTER_ERROR)
