import '../startup/young-generation'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { internetFrom, internetSwitches } from './internet-options'
import { metricsFrom, metricsSwitches } from './metrics-options'
import { bucketFrom, bucketSwitches } from './bucket-options'
import {
  choicesFrom,
  clusterFrom,
  drainFrom,
  hostSwitches,
  refuseForDemo,
  withHttpsMode,
} from './options'
import { HOUR_MS } from '../core/clock'
import { endsWithin } from '../core/deadline'
import { defaultDataDir } from '../data/folder/default'
import { findHostData } from '../data/folder/find'
import { forgetFolder, rememberFolder } from '../data/folder/known-folders'
import { takePassedSocket } from '../http/listen/passed-socket'
import type { HostRole } from '../cluster/host-role'
import {
  hostLog,
  logLevelFrom,
  startServer,
  type LogLevel,
  type RunningServer,
  type ServerConfig,
} from '../index'

const HELP = ['help', '--help', '-h']

const uiDir = join(import.meta.dirname, '../renderer')

/** How long a demo keeps what visitors do, in ms. */
const DEMO_MS = HOUR_MS
/** Timeout for a clean shutdown, in ms. */
const CLOSING_MS = 20_000

async function main(): Promise<void> {
  const [name = '', ...args] = process.argv.slice(2)

  if (name === '--version') return console.log(version())
  if (name === '' || (name.startsWith('-') && !HELP.includes(name)))
    return serve(process.argv.slice(2)).catch(fail)
  if (name === 'serve') return serve(args).catch(fail)

  // Load the other commands only when needed, to start faster.
  const { commands, USAGE } = await import('./commands')
  if (HELP.includes(name)) return console.log(USAGE)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command || (name === 'verify' && namesFiles(args))) return runServedCommand()

  process.exitCode = await command(args).catch((error: unknown) =>
    exitWithError(`${name} failed`, error),
  )
}

/** Runs the command that hosts serve to other machines: `push` and its like. */
async function runServedCommand(): Promise<void> {
  await import(/* @vite-ignore */ pathToFileURL(join(uiDir, 'cli.mjs')).href)
}

/** The library is verified without names of files; with them, they are compared with a project. */
const namesFiles = ([first = '']: readonly string[]) =>
  !/^(--(read-data|data|cluster)\b.*)?$/.test(first)

/** Runs the headless host under plain Node until SIGTERM or SIGINT. */
async function serve(args: string[]): Promise<void> {
  if (args.includes('--demo')) return serveDemo(args)
  const { startEmpty, drainMs, ...options } = optionsFrom(args)
  if (startEmpty) forgetFolder(options.dataDir)
  const host: Host = {}
  stopOnSignals(host, drainMs)
  await start(host, options, startEmpty)
  if (options.rateLimits === false) console.log('Rate limits are off: use this for load tests only')
  await restartWhenDiskReturns(host, options)
}

/** Runs a demo, which keeps nothing. */
async function serveDemo(args: string[]): Promise<void> {
  refuseForDemo(args)
  const { runDemo } = await import('./demo')
  const { startEmpty: _, drainMs, ...options } = optionsFrom(args)
  const host: Host = {}
  stopOnSignals(host, drainMs)

  const [, resetMs] = /^--demo-ms=(\d+)$/m.exec(args.join('\n')) ?? []
  await runDemo(options, resetMs === undefined ? DEMO_MS : Number(resetMs), (server, resetsAt) => {
    host.server = server
    console.log(`Slipway is listening on ${server.url}\nThis demo is reset at ${resetsAt}`)
  })
}

/** `cluster`: the file of `--cluster`. */
type Options = ServerConfig & { logLevel: LogLevel; cluster?: string }

/** The current server; replaced when the disk returns, and when a replica becomes the primary. */
interface Host {
  server?: RunningServer
  /** Its start: a signal waits for it, so that it releases the data folder and cuts no visitor. */
  starting?: Promise<RunningServer>
}

async function beginServer(
  host: Host,
  ...args: Parameters<typeof startServer>
): Promise<RunningServer> {
  delete host.server
  host.starting = startServer(...args)
  host.server = await host.starting
  return host.server
}

async function start(host: Host, options: Options, mayStartEmpty = false): Promise<void> {
  const place =
    options.cluster === undefined ? undefined : await waitInCluster(host, options, options.cluster)
  const { dataDir, homeDir, news } = await findHostData(options.dataDir, mayStartEmpty)
  const config = { ...options, dataDir, homeDir, hostName: place?.host }

  hostLog.keep({ dataDir, level: options.logLevel, host: place?.host })
  const server = await beginServer(host, config, undefined, place?.role)
  place?.serves(server)

  await rememberFolder(homeDir).catch((err: unknown) =>
    hostLog.warn({ err }, 'cannot remember the data folder'),
  )
  hostLog.record(
    'info',
    { version: config.version, pid: process.pid, url: server.url },
    'host started',
  )

  const setupUrl = server.setupUrl()
  // Print to stdout only: log files go into problem reports, and the setup link is secret.
  console.log(
    'Slipway is listening on ' +
      `${server.url}${setupUrl === undefined ? '' : `\nCreate the host account: ${setupUrl}`}`,
  )
  if (server.metricsUrl !== undefined) say(`Metrics are at ${server.metricsUrl}`)
  if (news !== undefined) tell(news)

  void server.recovery.then((text) => text !== undefined && tell(text))
  await tellOfInternet(server, config)
}

/**
 * Loads all that only hosts of a cluster need. Until this one is the primary, `host` has a server
 * that reads.
 */
async function waitInCluster(host: Host, config: Options, cluster: string) {
  const { waitForLease } = await import('../cluster/wait-for-lease')

  const serveReads = async (role: HostRole, name: string) => {
    hostLog.keep({ dataDir: config.dataDir, level: config.logLevel, host: name })
    const server = await beginServer(host, { ...config, hostName: name }, undefined, role)
    console.log(`${name} reads at ${server.url}`)
    return server
  }

  const place = await waitForLease({ cluster, config, log: hostLog, serveReads })
  delete host.server
  delete host.starting
  // What this process knows is outdated then. The supervisor restarts it as a standby.
  void place.lost.then((error) => exitWithError('Slipway starts again', error))
  return place
}

async function tellOfInternet(server: RunningServer, { internet = {} }: ServerConfig) {
  const { internet_way: way = server.internet.view().way, terms_accepted: accepted } = internet

  if (way === 'off') return
  const opening =
    internet.internet_way === undefined
      ? undefined
      : { way, terms_accepted: accepted !== undefined }
  const { shareWithInternet } = await import('./share-internet')
  shareWithInternet(server, opening, say)
}

/** No open handle is reliable after a disk disconnect: restart the server at the same address. */
async function restartWhenDiskReturns(host: Host, options: Options): Promise<never> {
  for (;;) {
    const { server } = host
    if (!server) throw new Error('The host did not start')

    const why = await server.dataIsBack()
    tell(
      why === 'taken_over'
        ? 'Another Slipway took over the data folder'
        : 'The disk with the data is back: restarting the host',
    )

    const { port } = server.bound()
    if (!(await endsWithin(CLOSING_MS, server.close())))
      await exitWithError('Slipway did not restart', 'the server did not close in time')
    // The socket closed with the server: systemd has another for the next process.
    if (options.passedSocket !== undefined) process.exit(1)
    await start(host, { ...options, port })
  }
}

function say(text: string): void {
  console.log(text)
  hostLog.record('info', {}, text)
}

function tell(text: string): void {
  console.log(text)
  hostLog.record('warn', {}, text)
}

/**
 * On an uncaught error the state is unknown: exit and let the supervisor restart us. On a signal
 * with a nonzero `drainMs`, downloads continue for that long while the next process serves.
 */
function stopOnSignals(host: Host, drainMs: number): void {
  let stopping = false
  let isReleased = false

  const stop = (code: number) => {
    const { server, starting } = host
    if (isReleased || (server ?? starting) === undefined) process.exit(code)
    if (stopping) return
    stopping = true
    // Exit even if the disk hangs.
    const late = setTimeout(() => process.exit(1), CLOSING_MS).unref()

    const onReleased = () => {
      isReleased = true
      clearTimeout(late)
      hostLog.record('info', { pid: process.pid }, 'host handed over; running downloads end here')
      tellLauncher()
    }

    const close = (it: RunningServer) =>
      it.close(code === 0 && drainMs > 0 ? { drainMs, onReleased } : undefined).then(
        () => {
          hostLog.record('info', { pid: process.pid }, 'host stopped')
          process.exit(code)
        },
        (error: unknown) => exitWithError('Slipway did not shut down cleanly', error),
      )
    if (server) void close(server)
    // A failed start ends the process itself.
    else starting?.then(close, () => undefined)
  }

  const stopAfter = (err: unknown) => {
    hostLog.error({ err }, 'uncaught error')
    stop(1)
  }

  process.on('SIGTERM', () => stop(0))
  process.on('SIGINT', () => stop(0))
  process.on('uncaughtException', stopAfter)
  process.on('unhandledRejection', stopAfter)

  // A closed output pipe must not stop the host.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
}

/**
 * Signals docs/deploy/hand-over.sh to exit: systemd starts the next process once the main one has
 * ended.
 */
function tellLauncher(): void {
  if (process.env['SLIPWAY_LAUNCHER'] === String(process.ppid))
    process.kill(process.ppid, 'SIGUSR1')
}

function optionsFrom(args: string[]): Options & { startEmpty: boolean; drainMs: number } {
  const { values } = parseArgs({
    args: withHttpsMode(args),
    options: {
      ...hostSwitches,
      ...internetSwitches,
      ...metricsSwitches,
      ...bucketSwitches,
      drain: { type: 'string' },
      cluster: { type: 'string' },
      demo: { type: 'boolean' },
      'demo-ms': { type: 'string' },
      'no-rate-limits': { type: 'boolean' },
      'checkpoint-bytes': { type: 'string' },
      'check-replies': { type: 'boolean' },
      'lock-silence-ms': { type: 'string' },
      'password-cost': { type: 'string' },
    },
  })

  const passedSocket = takePassedSocket(process.env, process.pid)
  return {
    ...clusterFrom(values, passedSocket !== undefined),
    passedSocket,
    drainMs: drainFrom(values.drain, passedSocket !== undefined),
    dataDir: values.data ?? defaultDataDir(),
    uiDir,
    version: version(),
    logLevel: logLevelFrom(values['log-level'] ?? 'info'),
    startEmpty: values['start-empty'] === true,
    rateLimits: values['no-rate-limits'] !== true,
    checkReplies: values['check-replies'] === true,
    ...(values['checkpoint-bytes'] === undefined
      ? {}
      : { checkpointBytes: Number(values['checkpoint-bytes']) }),
    ...(values['lock-silence-ms'] === undefined
      ? {}
      : { lockSilenceMs: Number(values['lock-silence-ms']) }),
    ...(values['password-cost'] === undefined
      ? {}
      : { passwordCost: Number(values['password-cost']) }),
    ...choicesFrom(values),
    ...internetFrom(values),
    ...metricsFrom(values),
    ...bucketFrom(values),
  }
}

/** package.json is one folder further up in the source than in the bundle. */
function version(): string {
  const path = ['../package.json', '../../package.json'].map((above) =>
    join(import.meta.dirname, above),
  )

  for (const candidate of path) {
    try {
      return (JSON.parse(readFileSync(candidate, 'utf8')) as { version: string }).version
    } catch {
      continue
    }
  }
  return '0.0.0'
}

const fail = (error: unknown) => exitWithError('Slipway cannot start', error)

async function exitWithError(what: string, error: unknown): Promise<never> {
  const { code, message } = error as { code?: string; message?: string }
  hostLog.recordFailure(what, error)
  console.error(`${what}: ${message ?? String(error)}`)
  if (code?.startsWith('ERR_PARSE_ARGS')) console.error((await import('./commands')).USAGE)
  process.exit(1)
}

await main().catch(fail)
