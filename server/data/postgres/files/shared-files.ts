import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { realDisk, replaceFile, type Disk } from '../../../core/durable-file'
import { Serial } from '../../../core/serial'
import { isFeedHistory, listFeedHistories, OLD_FEED_HISTORY } from '../../settings/feed-history'
import { RELEASE_KEYS, SECRETS } from '../../settings/secrets'
import type { PostgresClient } from '../connection'
import { refusalOf } from '../postgres-error'
import type { Rows } from '../head'
import type { FileCipher } from './file-cipher'

/**
 * The files of a data folder that are the same at all hosts of a cluster. All others are of one
 * host: its locks and logs, `admin.json`, and what it knows of its router, its name and its
 * visitors (`reach.json`, `name-update.json`, `visits.json`).
 */
const sharedNames: readonly string[] = [
  'settings.json',
  'restored-settings.json',
  SECRETS,
  RELEASE_KEYS,
  'feed-dates.json',
  OLD_FEED_HISTORY,
  'backups.json',
  'command-backup.json',
  'authority.pem',
  'public.pem',
  'certificate-orders.json',
  'tunnel-key',
]

const isShared = (name: string) => sharedNames.includes(name) || isFeedHistory(name)

/** Lists the names of what a data folder may share, with its histories of Git repositories. */
export const listShared = async (dir: string): Promise<string[]> => [
  ...sharedNames,
  ...(await listFeedHistories(dir)),
]

/**
 * A file as PostgreSQL has it. `content`: encrypted; null: it was deleted. `seq`: the commit that
 * did.
 */
export interface FileRow {
  name: string
  version: number
  content: Buffer | null
  seq: number
}

/** Replaces a file, whose folder may be missing. */
export async function placeFile(path: string, text: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await replaceFile(path, text)
}

/** The files that changed since a commit, or at it: those of commands count to the last one. */
export async function readFileRows(session: PostgresClient, since: number): Promise<FileRow[]> {
  const { rows } = await session.query<
    Pick<FileRow, 'name' | 'content'> & Record<'version' | 'seq', string>
  >('select name, version, content, seq from slipway.file where seq >= $1', [since])
  return rows.map((row) => ({ ...row, version: Number(row.version), seq: Number(row.seq) }))
}

interface WriterLease {
  commit: (rows: Rows) => Promise<void>
}

/**
 * What is the same in the data folders of all hosts of a cluster. PostgreSQL has each change first,
 * encrypted; the files here are copies, for those who read them.
 */
export class SharedFiles {
  /** The last commit whose files are here. */
  #seq = -1
  readonly #versions = new Map<string, number>()
  readonly #turns = new Serial()

  constructor(
    private readonly dir: string,
    private readonly cipher: FileCipher,
  ) {}

  get seq(): number {
    return this.#seq
  }

  /**
   * Brings the folder up to date. `upTo`: the last commit that is known to have changed a file.
   * Throws PostgresError where a content is not what a host has sealed.
   */
  take(session: PostgresClient, upTo = 0): Promise<void> {
    return this.#turns.run(async () => {
      const rows = await readFileRows(session, this.#seq)
      for (const row of rows) await this.#take(row)
      this.#seq = Math.max(upTo, this.#seq, ...rows.map(({ seq }) => seq))
    })
  }

  /** Puts a file of the folder into PostgreSQL, for a command: under any term, between commits. */
  async put(session: PostgresClient, name: string): Promise<void> {
    await this.take(session)
    const version = (this.#versions.get(name) ?? 0) + 1
    const content = await this.cipher.seal({ name, version }, await readFile(join(this.dir, name)))
    await session.query(
      `insert into slipway.file as f (name, version, content, seq)
       select $1, $2::bigint, $3::bytea, seq from slipway.cluster for share
       on conflict (name) do update set version = excluded.version, content = excluded.content,
         seq = excluded.seq
       where f.version < excluded.version`,
      [name, version, content],
    )
  }

  /** The disk of the primary: a change of such a file is in PostgreSQL before it is here. */
  wrapDisk(lease: WriterLease, disk: Disk): Disk {
    return {
      open: (...args) => disk.open(...args),
      rename: async (from, to) => {
        const move = () => disk.rename(from, to)
        const before = this.#nameOf(from)
        const after = this.#nameOf(to)
        if (after !== undefined) return this.#put(lease, after, await readFile(from), move)
        return before === undefined ? move() : this.#put(lease, before, null, move)
      },
      rm: (path, options) => {
        const name = this.#nameOf(path)
        const remove = () => disk.rm(path, options)
        return name === undefined ? remove() : this.#put(lease, name, null, remove)
      },
    }
  }

  #nameOf(path: string): string | undefined {
    const name = relative(this.dir, path).replaceAll(sep, '/')
    return isShared(name) ? name : undefined
  }

  async #take({ name, version, content }: FileRow): Promise<void> {
    if (version <= (this.#versions.get(name) ?? 0) || !isShared(name)) return
    const path = join(this.dir, name)
    if (content === null) await realDisk.rm(path, { force: true })
    else {
      const text = await this.cipher.open({ name, version }, content)
      const here = await readFile(path).catch(() => undefined)
      if (here?.equals(text) !== true) await placeFile(path, text)
    }
    this.#versions.set(name, version)
  }

  /** `keep` makes the same change here. Rejects as a disk does where PostgreSQL refuses it. */
  #put(lease: WriterLease, name: string, text: Buffer | null, keep: () => Promise<void>) {
    return this.#turns.run(async () => {
      const version = (this.#versions.get(name) ?? 0) + 1
      const content = text && (await this.cipher.seal({ name, version }, text))

      await lease
        .commit({ put: [], deleted: [], file: { name, version, content } })
        .catch((cause: unknown) => {
          throw refusalOf(cause)
        })

      this.#versions.set(name, version)
      await keep()
    })
  }
}
