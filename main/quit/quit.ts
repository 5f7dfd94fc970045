import { app } from 'electron'
import { endsWithin, realDeps, type RunningServer } from '../../server'

/** A disk that hangs must not delay the exit longer than this, in ms. */
const PATIENCE_MS = 20_000

export function quitInOrder(server: RunningServer): void {
  app.on('window-all-closed', () => app.quit())
  app.once('will-quit', () => {
    // A start during the shutdown relaunches once the data folder is free.
    app.once('second-instance', () => app.relaunch())
    void closeInTime(server).then((code) => app.exit(code))
  })
  app.on('will-quit', (event) => event.preventDefault())
}

export async function closeInTime(server: RunningServer): Promise<number> {
  try {
    return (await endsWithin(PATIENCE_MS, server.close())) ? 0 : 1
  } catch (err) {
    realDeps.log.error({ err }, 'the server did not shut down cleanly')
    return 1
  }
}
