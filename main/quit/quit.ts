import { setTimeout as pause } from 'node:timers/promises'
import { app } from 'electron'
import { realDeps, type RunningServer } from '../../server'

/** The server lets running transfers finish for a while; a disk that hangs must not keep us longer than this, in ms. */
const PATIENCE_MS = 20_000

/** Quitting closes the window first, then the server, then the process. */
export function quitInOrder(server: RunningServer): void {
  app.on('window-all-closed', () => app.quit())
  app.once('will-quit', () => {
    // Somebody who starts Slipway again meanwhile gets it as soon as this one has let go of the data folder.
    app.once('second-instance', () => app.relaunch())
    void closeInTime(server).then((code) => app.exit(code))
  })
  app.on('will-quit', (event) => event.preventDefault())
}

/** Closes the server in order, or gives up after `PATIENCE_MS`. Answers the exit code. */
export async function closeInTime(server: RunningServer): Promise<number> {
  try {
    return await Promise.race([server.close().then(() => 0), pause(PATIENCE_MS, 1)])
  } catch (err) {
    realDeps.log.error({ err }, 'the server did not shut down cleanly')
    return 1
  }
}
