import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../../scripts/dev/free-port'
import { unpacked } from '../system/debian'

const PATIENCE_MS = 60_000
/** Where Debian installs it, one folder for each version. */
const INSTALLED = '/usr/lib/postgresql'
/** initdb and postgres refuse root: `nobody` and `nogroup`. */
export const NOBODY = 65534
export const isRoot = process.getuid?.() === 0
/** Before a program of PostgreSQL. */
export const asNobody = isRoot
  ? ['--reuid', String(NOBODY), '--regid', String(NOBODY), '--clear-groups']
  : []

/** The versions that are installed here. */
export const installed = await readdir(INSTALLED).catch(() => [])

/** Where a server runs, if not on loopback of this machine. */
export interface ServerPlace {
  /** The words before a command that make it run there. */
  under: readonly string[]
  /** Its address there; tests reach it by a socket in its folder. */
  address: string
}

/** The processes of a PostgreSQL on a folder. */
export class PostgresServer {
  #process: ChildProcess | undefined
  #said = ''

  private constructor(
    private readonly dir: string,
    private readonly port: number,
    private readonly place: ServerPlace | undefined,
  ) {}

  static async on(dir: string, place?: ServerPlace): Promise<PostgresServer> {
    return new PostgresServer(dir, await freePort(), place)
  }

  url(database: string): string {
    if (this.place !== undefined)
      return `postgresql://slipway@/${database}?host=${this.dir}&port=${this.port}`
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
    const { under = [], address } = this.place ?? {}
    const where =
      address === undefined ? {} : { listen_addresses: address, unix_socket_directories: this.dir }
    const all = { ...SETTINGS, ...where, port: String(this.port), ...settings }
    const words = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const args = [
      ...under,
      'setpriv',
      ...asNobody,
      '--pdeathsig',
      END,
      'nice',
      '-n',
      '5',
      program('postgres'),
      '-D',
      join(this.dir, 'data'),
    ]
    const child = spawn('env', [...args, ...words], {
      env,
      cwd: this.dir,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    child.stderr.on('data', (bytes) => (this.#said = `${this.#said}${String(bytes)}`.slice(-4000)))
    this.#process = child
  }

  #isRunning(): boolean {
    return (
      this.#process !== undefined &&
      this.#process.exitCode === null &&
      this.#process.signalCode === null
    )
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

/** Runs statements in the database of this address. Returns the rows of the last one. */
export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const result: unknown = await client.query(sql)
    const last = Array.isArray(result)
      ? (result.at(-1) as pg.QueryResult)
      : (result as pg.QueryResult)
    return last.rows as Record<string, unknown>[]
  } finally {
    await client.end()
  }
}

/** Those installed here, else those unpacked from Debian's packages. */
export async function programs(): Promise<{
  program: (name: string) => string
  env: NodeJS.ProcessEnv
}> {
  const version = installed.sort((a, b) => Number(a) - Number(b)).at(-1)
  if (version !== undefined)
    return { program: (name) => join(INSTALLED, version, 'bin', name), env: process.env }
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
