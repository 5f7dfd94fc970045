import { randomBytes } from 'node:crypto'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chown, cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { cannotUnpack } from '../../../scripts/test/tools/unpacked'
import { run, unpacked } from '../system/debian'
import { lastWill } from '../system/last-will'

const PATIENCE_MS = 60_000
/** Where Debian installs it, one folder for each version. */
const INSTALLED = '/usr/lib/postgresql'
/** initdb and postgres refuse root: `nobody` and `nogroup`. */
const NOBODY = 65534
const isRoot = process.getuid?.() === 0

const installed = await readdir(INSTALLED).catch(() => [])
/** Why this machine has no PostgreSQL for tests; undefined where it has. In CI it always has, or tests fail. */
export const noPostgres = installed.length > 0 ? undefined : cannotUnpack

/** Whether the packages must be downloaded. */
export const needsPostgres = installed.length === 0 && cannotUnpack === undefined

/** The name of a test or a group, with the reason where it is passed over. */
export const withPostgres = (name: string): string =>
  noPostgres === undefined ? name : `${name} (not run: ${noPostgres})`

/** A real PostgreSQL of its own on loopback, with `fsync` on, where every user may do everything. */
export interface Postgres {
  /** `postgresql://slipway@127.0.0.1:port/database`. */
  url: (database: string) => string
  /** A new, empty database. Returns its address. */
  makeDatabase: () => Promise<string>
  /** Runs statements in the database of this address. Returns the rows of the last one. */
  query: (url: string, sql: string) => Promise<Record<string, unknown>[]>
  /** SIGKILL of all its processes. What was committed stays. */
  kill: () => Promise<void>
  /** Starts a killed one again, with more settings, and waits until it answers. Does nothing to one that runs. */
  revive: (settings?: Readonly<Record<string, string>>) => Promise<void>
  /** SIGSTOP of all its processes: it accepts connections and stays silent. */
  pause: () => Promise<void>
  resume: () => Promise<void>
  close: () => Promise<void>
}

let shared: Promise<Postgres> | undefined

/** The PostgreSQL of this worker, which works, whatever earlier tests have done to it. It ends with the worker. */
export async function sharedPostgres(): Promise<Postgres> {
  const postgres = await (shared ??= startPostgres())
  await postgres.resume()
  await postgres.revive()
  return postgres
}

let template: Promise<string> | undefined

/** Ready within 60 s. It ends with the process that has started it, and its folder too. */
export async function startPostgres(settings?: Readonly<Record<string, string>>): Promise<Postgres> {
  const from = await (template ??= makeTemplate())
  const dir = await ownFolder()
  const will = lastWill('sleep 1; rm -rf "$1"', dir)
  await cp(join(from, 'data'), join(dir, 'data'), { recursive: true })
  if (isRoot) await run('chown', ['-R', `${NOBODY}:${NOBODY}`, dir])
  const server = new Server(dir, await freePort())
  try {
    await server.revive(settings)
  } catch (cause) {
    await server.kill()
    await rm(dir, { recursive: true, force: true })
    throw cause
  }
  return {
    url: (database) => server.url(database),
    async makeDatabase() {
      const name = `test_${randomBytes(6).toString('hex')}`
      await query(server.url('postgres'), `create database ${name}`)
      return server.url(name)
    },
    query,
    kill: () => server.kill(),
    revive: (settings) => server.revive(settings),
    pause: () => server.signal('SIGSTOP'),
    resume: () => server.signal('SIGCONT'),
    async close() {
      await server.end()
      await rm(dir, { recursive: true, force: true, maxRetries: 5 })
      will.revoke()
    },
  }
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const result: unknown = await client.query(sql)
    const last = Array.isArray(result) ? (result.at(-1) as pg.QueryResult) : (result as pg.QueryResult)
    return last.rows as Record<string, unknown>[]
  } finally {
    await client.end()
  }
}

class Server {
  #process: ChildProcess | undefined
  #said = ''

  constructor(
    private readonly dir: string,
    private readonly port: number,
  ) {}

  url(database: string): string {
    return `postgresql://slipway@127.0.0.1:${this.port}/${database}`
  }

  async revive(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    if (this.#isRunning()) return
    const until = Date.now() + PATIENCE_MS
    await this.#start(settings)
    while (!(await answers(this.url('postgres')))) {
      // Children of a killed one may still hold its memory for a moment.
      if (!this.#isRunning()) await this.#start(settings)
      if (Date.now() > until) throw new Error(`PostgreSQL does not answer: ${this.#said}`)
      await pause(30)
    }
  }

  async kill(): Promise<void> {
    const ended = this.#ended()
    await this.signal('SIGKILL')
    await ended
  }

  async end(): Promise<void> {
    await this.signal('SIGCONT')
    const ended = this.#ended()
    this.#process?.kill(`SIG${END}`)
    await ended
  }

  async #ended(): Promise<void> {
    if (this.#process !== undefined && this.#isRunning()) await once(this.#process, 'exit')
  }

  /** To the server and all processes that it has made. */
  async signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const { pid } = this.#process ?? {}
    if (pid === undefined || !this.#isRunning()) return
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
    for (const one of [pid, ...children.split(' ').map(Number)]) {
      try {
        if (one > 0) process.kill(one, name)
      } catch {
        // It has just ended.
      }
    }
  }

  async #start(settings: Readonly<Record<string, string>>): Promise<void> {
    const { program, env } = await programs()
    const all = { ...SETTINGS, port: String(this.port), ...settings }
    const words = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const args = [...asNobody, '--pdeathsig', END, 'nice', '-n', '5', program('postgres'), '-D', join(this.dir, 'data')]
    const child = spawn('env', ['setpriv', ...args, ...words], {
      env,
      cwd: this.dir,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    child.stderr.on('data', (bytes) => (this.#said = `${this.#said}${String(bytes)}`.slice(-4000)))
    this.#process = child
  }

  #isRunning(): boolean {
    return this.#process !== undefined && this.#process.exitCode === null && this.#process.signalCode === null
  }
}

/** Small, and without what a server in use needs. */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'on',
  synchronous_commit: 'on',
  shared_buffers: '16MB',
  // In its folder, where no kill leaves it behind.
  dynamic_shared_memory_type: 'mmap',
  max_connections: '60',
  min_wal_size: '2MB',
  autovacuum: 'off',
  log_min_messages: 'fatal',
}

/** At once, but not without giving its shared memory back to the system. */
const END = 'QUIT'

const asNobody = isRoot ? ['--reuid', String(NOBODY), '--regid', String(NOBODY), '--clear-groups'] : []

/** One initdb for all servers of this worker. */
async function makeTemplate(): Promise<string> {
  const { program, env } = await programs()
  const dir = await ownFolder()
  lastWill('sleep 1; rm -rf "$1"', dir)
  const options = ['--auth=trust', '--encoding=UTF8', '--locale=C', '--wal-segsize=1', '--no-sync', '--no-instructions']
  const words = ['-D', join(dir, 'data'), '-U', 'slipway', ...options]
  await run('env', ['setpriv', ...asNobody, '--pdeathsig', 'KILL', program('initdb'), ...words], { env, cwd: dir })
  return dir
}

/** Not in the folder of the tests, which only root may enter, and on a disk where there is one. */
async function ownFolder(): Promise<string> {
  const dir = await mkdtemp('/tmp/slipway-postgres-')
  if (isRoot) await chown(dir, NOBODY, NOBODY)
  return dir
}

/** Those installed here, else those unpacked from Debian's packages. */
async function programs(): Promise<{ program: (name: string) => string; env: NodeJS.ProcessEnv }> {
  const version = installed.sort((a, b) => Number(a) - Number(b)).at(-1)
  if (version !== undefined) return { program: (name) => join(INSTALLED, version, 'bin', name), env: process.env }
  const { postgresql } = await unpacked('postgresql')
  const [unpackedVersion = ''] = await readdir(postgresql.file('usr/lib/postgresql'))
  return {
    program: (name) => postgresql.file(`usr/lib/postgresql/${unpackedVersion}/bin/${name}`),
    env: { ...process.env, ...postgresql.env },
  }
}

async function answers(url: string): Promise<boolean> {
  return query(url, 'select 1').then(
    () => true,
    () => false,
  )
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await once(server.close(), 'close')
  return port
}
