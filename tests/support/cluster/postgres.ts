import { randomBytes } from 'node:crypto'
import { appendFile, chown, cp, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { cannotUnpack } from '../../../scripts/test/tools/unpacked'
import { run } from '../system/debian'
import { lastWill } from '../system/last-will'
import {
  asNobody,
  installed,
  isRoot,
  NOBODY,
  PostgresServer,
  programs,
  query,
  type ServerPlace,
} from './postgres-server'

/**
 * Why this machine has no PostgreSQL for tests; undefined where it has. In CI it always has, or
 * tests fail.
 */
export const noPostgres = installed.length > 0 ? undefined : cannotUnpack

/** Whether the packages must be downloaded. */
export const needsPostgres = installed.length === 0 && cannotUnpack === undefined

/** The name of a test or a group, with the reason where it is passed over. */
export const withPostgres = (name: string): string =>
  noPostgres === undefined ? name : `${name} (not run: ${noPostgres})`

/**
 * A real PostgreSQL of its own on loopback, with `fsync` on, where every user may do everything.
 */
export interface Postgres {
  /** `postgresql://slipway@127.0.0.1:port/database`. */
  url: (database: string) => string
  /** A new, empty database. Returns its address. */
  makeDatabase: () => Promise<string>
  /** Runs statements in the database of this address. Returns the rows of the last one. */
  query: (url: string, sql: string) => Promise<Record<string, unknown>[]>
  /** SIGKILL of all its processes. What was committed stays. */
  kill: () => Promise<void>
  /**
   * Starts a killed one again, with more settings, and waits until it answers. Does nothing to one
   * that runs.
   */
  revive: (settings?: Readonly<Record<string, string>>) => Promise<void>
  /** SIGSTOP of all its processes: it accepts connections and stays silent. */
  pause: () => Promise<void>
  resume: () => Promise<void>
  close: () => Promise<void>
}

let shared: Promise<Postgres> | undefined

/**
 * The PostgreSQL of this worker, which works, whatever earlier tests have done to it. It ends with
 * the worker.
 */
export async function sharedPostgres(): Promise<Postgres> {
  const postgres = await (shared ??= startPostgres())
  await postgres.resume()
  await postgres.revive()
  return postgres
}

let template: Promise<string> | undefined

/**
 * With the shared memory of a server that was killed: its id is in the seventh line of this file.
 */
const PUT_AWAY = 'sleep 1; ipcrm -m $(sed -n "7s/.* //p" "$1/data/postmaster.pid"); rm -rf "$1"'

interface Beginning {
  place?: ServerPlace
  /** Makes its folder; without it, one with an empty database. */
  fill?: (data: string) => Promise<unknown>
}

/** Ready within 60 s. It ends with the process that has started it, and its folder too. */
export async function startPostgres(
  settings?: Readonly<Record<string, string>>,
  { place, fill = copyTemplate }: Beginning = {},
): Promise<Postgres> {
  const dir = await ownFolder()
  const will = lastWill(PUT_AWAY, dir)
  await fill(join(dir, 'data'))
  if (isRoot) await run('chown', ['-R', `${NOBODY}:${NOBODY}`, dir])
  const server = await PostgresServer.on(dir, place)
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

const copyTemplate = async (data: string) =>
  cp(join(await (template ??= makeTemplate()), 'data'), data, { recursive: true })

/** One initdb for all servers of this worker. */
async function makeTemplate(): Promise<string> {
  const { program, env } = await programs()
  const dir = await ownFolder()
  lastWill('sleep 1; rm -rf "$1"', dir)
  const options = [
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    '--wal-segsize=1',
    '--no-sync',
    '--no-instructions',
  ]
  const words = ['-D', join(dir, 'data'), '-U', 'slipway', ...options]
  await run('env', ['setpriv', ...asNobody, '--pdeathsig', 'KILL', program('initdb'), ...words], {
    env,
    cwd: dir,
  })
  // Only machines of a test can reach it.
  await appendFile(join(dir, 'data/pg_hba.conf'), 'host all all all trust\n')
  return dir
}

/** Not in the folder of the tests, which only root may enter, and on a disk where there is one. */
async function ownFolder(): Promise<string> {
  const dir = await mkdtemp('/tmp/slipway-postgres-')
  if (isRoot) await chown(dir, NOBODY, NOBODY)
  return dir
}
