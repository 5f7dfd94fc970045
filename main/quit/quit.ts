import { app, type Event } from 'electron'
import { endsWithin, realDeps, type RunningServer } from '../../server'

/** A disk that hangs must not delay the exit longer than this, in ms. */
const PATIENCE_MS = 20_000

/**
 * Waits for a server that starts. A quit meanwhile closes it when it has started, so that the next
 * start has nothing to recover.
 */
export async function quitAfterStart(starting: Promise<RunningServer>): Promise<RunningServer> {
  const quit = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const hold = (event: Event) => {
    event.preventDefault()
    quit.abort()
    timer ??= setTimeout(() => app.exit(1), PATIENCE_MS)
  }
  app.on('will-quit', hold)

  try {
    const server = await starting
    quitInOrder(server)
    if (!quit.signal.aborted) return server

    // Closing has its own time.
    clearTimeout(timer)
    app.exit(await closeInTime(server))
    return await never()
  } catch (error) {
    if (!quit.signal.aborted) throw error
    // A person who quits is asked nothing more.
    app.exit(1)
    return await never()
  } finally {
    clearTimeout(timer)
    app.off('will-quit', hold)
  }
}

let isQuitting = false

/**
 * Waits for a step of a start. A quit meanwhile ends the program by itself: what the step then
 * brings, such as an answered question, is neither continued nor a failure.
 */
export async function unlessQuit<T>(step: Promise<T>): Promise<T> {
  try {
    const result = await step
    if (!isQuitting) return result
  } catch (error) {
    if (!isQuitting) throw error
  }
  return never()
}

/** The program ends soon, and must not do its next steps until then. */
const never = () => new Promise<never>(() => undefined)

function quitInOrder(server: RunningServer): void {
  app.on('window-all-closed', () => app.quit())
  app.once('will-quit', () => {
    isQuitting = true
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
