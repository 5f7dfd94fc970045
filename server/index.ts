import Koa from 'koa'
import { assemble } from './app'
import { createContext, type AppContext, type Deps, type ServerConfig } from './context'
import { Listener, type Bound } from './http/listener'
import { stderrLog } from './log'
import { lockDataDir } from './storage/lock'
import { realWorld } from './world'

export type { Deps, ServerConfig } from './context'
export { defaultDataDir } from './data-dir'

/** Time, chance and log as they are outside tests. */
export const realDeps: Deps = { world: realWorld, log: stderrLog }

/** How long running requests may take to finish when the server closes, in ms. */
const DRAIN_MS = 10_000
/** How often sessions that ended and old trash are cleared away, in ms. */
const TIDY_EVERY_MS = 3_600_000

export interface RunningServer {
  /** The address to open at this machine, without a final slash. */
  url: string
  bound(): Bound
  context: AppContext
  /** Listens on another address from now on; running transfers are finished. Throws ListenError. */
  listen(host: string, port: number): Promise<Bound>
  /** Stops accepting, lets running requests finish, and waits until the last change is on disk. */
  close(): Promise<void>
}

/**
 * Starts the server on a data folder, which it owns until `close`. Throws DataDirLockedError, LibraryDamagedError,
 * ListenError and errors of the settings, each with a message for people.
 */
export async function startServer(config: ServerConfig, deps: Deps = realDeps): Promise<RunningServer> {
  const lock = await lockDataDir(config.dataDir)
  try {
    const app = new Koa()
    // The pipeline logs what went wrong; all that Koa would add is that a client has left.
    app.silent = true
    const listener = new Listener((request, response) => void handle(request, response))
    const context = await createContext(config, deps, app, () => listener.bound)
    assemble(app, context, config.uiDir)
    const handle = app.callback()
    const { host, port } = context.settings.get()
    await listener.listen(config.host ?? host, config.port ?? port).catch(async (error: unknown) => {
      await context.sidecars.close()
      await context.library.close()
      throw error
    })
    tidy(context)
    describe(context)
    const tidying = setInterval(() => tidy(context), TIDY_EVERY_MS).unref()
    return {
      get url() {
        return localUrl(listener.bound)
      },
      bound: () => listener.bound,
      context,
      listen: (nextHost, nextPort) => listener.listen(nextHost, nextPort),
      async close() {
        clearInterval(tidying)
        await listener.close(DRAIN_MS)
        await context.sidecars.close()
        await context.library.close()
        await lock.release()
      },
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Removes what a crash may have left, sessions that ended, and what was in the trash for long enough. */
function tidy({ blobs, files, trash, sessions, log }: AppContext): void {
  const isReferenced = (blobId: string) => files.isReferenced(blobId) || trash.holdsBlob(blobId)
  void Promise.all([blobs.sweep(isReferenced), sessions.sweep(), trash.sweep()]).then(
    ([removed]) => removed.drafts + removed.orphans > 0 && log.info(removed, 'left-overs removed'),
    (err: unknown) => log.error({ err }, 'left-overs could not be removed'),
  )
}

/** Makes good what a crash has left untold of the blobs. */
function describe({ sidecars, files, trash, log }: AppContext): void {
  const blobIds = function* () {
    yield* files.blobIds()
    yield* trash.blobIds()
  }
  sidecars.check(blobIds()).catch((err: unknown) => log.error({ err }, 'what stands beside the blobs was not checked'))
}

/** Any address of the machine answers at loopback too, unless one was chosen. */
function localUrl({ host, port }: Bound): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
