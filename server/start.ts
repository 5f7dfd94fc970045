import Koa from 'koa'
import { openAdmin } from './admin/admin-server'
import { assemble } from './app'
import { createContext, type AppContext } from './compose/context'
import type { FolderHold, HostRole } from './cluster/host-role'
import { singleHost } from './cluster/single-host'
import type { Deps } from './compose/deps'
import { HeldFolder } from './data/folder/presence'
import { Connections } from './http/listen/connections'
import { errorPageFor } from './http/pages/error-page'
import { connectionsFor, descriptorLimit } from './http/listen/descriptors'
import { Listener, ListenError, localUrl, type Bound } from './http/listen/listener'
import { OutsideDoor } from './http/listen/outside-door'
import { usualPatience } from './http/listen/patience'
import { isOneOf } from './http/pipeline/remote'
import type { Metrics } from './metrics/metrics'
import { RunningServer } from './running-server'
import { applyActivity } from './startup/apply-activity'
import { closeInOrder, startChores } from './startup/chores'
import { askNextProcess } from './startup/next-process'
import type { ServerConfig } from './compose/server-config'

const GONE = 'the data folder is missing: is its disk connected?'
const TAKEN = 'another Slipway took over the data folder while this one was suspended'

/** A server, and every room of it. */
export interface Started {
  server: RunningServer
  context: AppContext
}

/**
 * Starts the server on a data folder, which it owns until `close`; `role`: not alone.
 * Throws DataDirLockedError, LibraryDamagedError, ListenError and SettingsError, each with a
 * readable message.
 */
export async function start(
  config: ServerConfig,
  deps: Deps,
  role: HostRole = singleHost,
): Promise<Started> {
  const hold = await role.takeFolder(config)
  try {
    return await serveFrom(hold, config, deps, role)
  } catch (error) {
    await hold.release()
    throw error
  }
}

async function serveFrom(
  hold: FolderHold,
  config: ServerConfig,
  deps: Deps,
  role: HostRole,
): Promise<Started> {
  let closeToInternet = (): void => undefined
  const onLost = (isTaken: boolean) => {
    const why = isTaken ? TAKEN : GONE
    deps.log.error({ dir: config.dataDir }, why)
    closeToInternet()
    role.lose?.(why)
  }

  const app = new Koa()
  const limits = createLimits(config, deps, () => context)
  // The pipeline needs the context, which needs the listeners.
  const makeHandler = () => app.callback()
  const listener = new Listener(makeHandler, limits)
  const context: AppContext = await createContext(config, deps, app, {
    held: new HeldFolder(hold.look, onLost, role.primary === undefined),
    role,
    wasAbandoned: hold.wasAbandoned,
    bound: listener.bound,
    listen: (next) => listenAnew(listener, context, next),
    secure: (certificates) => listener.secure(certificates),
    outsideDoor: new OutsideDoor(makeHandler, limits),
  })
  closeToInternet = () => void context.network.internet.stop()
  const metrics = await createMetrics(context, config)
  assemble(app, context, config.uiDir, metrics)
  const handle = app.callback()
  const door = await role.listenForOthers?.({
    answer: (request, response) => void handle(request, response),
    onActivity: (deltas) => applyActivity(context, deltas),
    trouble: () => context.data.trouble(),
  })
  await open(context, listener, config, { metrics, door })
  const chores = startChores(context, config)
  const admin = role.primary ? undefined : await openAdmin(context)
  const server = new RunningServer(context, listener, {
    metricsUrl: metrics?.url,
    recovery:
      hold.wasAbandoned && !hold.shutDown?.wasShutDown
        ? chores.recovery
        : Promise.resolve(undefined),
    markShutDown: () => hold.shutDown?.markShutDown(),
    async close(downloads) {
      const stopped = chores.stop()
      await Promise.all([admin?.close(), metrics?.close()])
      await closeInOrder(context, { listener, door }, downloads !== undefined)
      await stopped
      await hold.release()
      if (downloads) await endDownloads(context, listener, downloads)
    },
  })
  return { server, context }
}

/** Lets downloads end while another process has the library. */
function endDownloads(
  { transfers }: AppContext,
  listener: Listener,
  { drainMs, onReleased }: NonNullable<Parameters<RunningServer['close']>[0]>,
): Promise<void> {
  transfers.running.recheckBy(askNextProcess(localUrl(listener.bound())))
  onReleased()
  return listener.close(drainMs)
}

/** Loads Prometheus' client only where metrics are on. */
async function createMetrics(
  context: AppContext,
  { metrics, hostName }: ServerConfig,
): Promise<Metrics | undefined> {
  if (metrics === undefined) return undefined
  const loaded = await import('./metrics/metrics')
  return new loaded.Metrics(context, metrics, hostName)
}

/** The limits of connections to this host. The context exists before the first connection. */
function createLimits(config: ServerConfig, { log }: Deps, context: () => AppContext) {
  const connections = new Connections({
    log,
    most: config.connections ?? connectionsFor(descriptorLimit()),
    perAddress: () =>
      context().host.limits && context().data.settings.get().connections_per_address,
    pageFor: errorPageFor,
    isProxy: isOneOf(() => context().network.trustedProxies()),
    windowSecret: config.windowSecret ?? null,
  })
  return { connections, patience: { ...usualPatience, ...config.patience } }
}

/** Listens, with HTTPS if chosen. Closes the library on failure. */
async function open(
  context: AppContext,
  listener: Listener,
  config: ServerConfig,
  { metrics, door }: { metrics: Metrics | undefined; door: Pick<Listener, 'close'> | undefined },
): Promise<void> {
  const { host, port, shared_addresses: addresses } = context.data.settings.get()
  const only = config.host === undefined ? addresses : []
  try {
    // Without HTTPS the window can still show the error; if a switch asked for HTTPS, fail now.
    await context.network.https.refresh().catch((error: unknown) => {
      if (config.https !== undefined) throw error
    })
    await context.data.role.beforeListening?.()
    await Promise.all([metrics?.listen(), context.network.visits.read()])
    const { passedSocket } = config
    const adopted = passedSocket === undefined ? undefined : await listener.adopt(passedSocket)
    if (adopted) await context.network.reach.listen(adopted.host, adopted.port)
    else await context.network.reach.listen(config.host ?? host, config.port ?? port, only)
  } catch (error) {
    await Promise.all([metrics?.close(), door?.close(0)])
    await context.data.library.close()
    throw error
  }
  await context.network.addresses.watch()
}

/**
 * Listens on another address. On macOS another program on the same loopback port does not prevent
 * us from listening on all addresses, and would answer local requests: then return to the old
 * address and throw ListenError.
 */
async function listenAnew(
  listener: Listener,
  { network: { addresses }, host: { activity } }: AppContext,
  next: Bound,
): Promise<Bound> {
  const before = listener.bound()
  const bound = await listener.listen(next)
  if (before.port === 0) return bound
  if ((await addresses.proof.ask(localUrl(bound))) === 'other_program') {
    await listener.listen(before)
    const obstacle = 'in use by another program on this computer'
    throw new ListenError(`Port ${bound.port} is ${obstacle}: choose another with --port`, obstacle)
  }
  await addresses.look()
  activity.changed()
  return bound
}
