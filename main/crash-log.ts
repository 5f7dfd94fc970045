import { app } from 'electron'
import { realDeps } from '../server'

const { log } = realDeps

/** Nothing dies unheard: what no code caught is in the log, and the host goes on. */
export function logCrashes(): void {
  process.on('uncaughtException', (err) => log.error({ err }, 'uncaught exception'))
  process.on('unhandledRejection', (err) => log.error({ err }, 'unhandled rejection'))
  app.on('render-process-gone', (_event, _contents, details) => logEnd(details, 'a page crashed'))
  app.on('child-process-gone', (_event, details) => logEnd(details, 'a helper process crashed'))
}

/** Processes of Chromium also end because we do. */
function logEnd(details: { reason: string }, message: string): void {
  if (details.reason !== 'clean-exit') log.error(details, message)
}
