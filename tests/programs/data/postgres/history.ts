import { expect } from 'vitest'
import { connect, type PostgresClient } from '../../../../server/data/postgres/connection'
import { PostgresCommitLog } from '../../../../server/data/postgres/postgres-commit-log'
import { claim, type Rows } from '../../../../server/data/postgres/head'
import { WriterLease } from '../../../../server/data/postgres/writer-lease'
import { readSnapshot } from '../../../../server/data/postgres/rows'
import { requireCluster } from '../../../../server/data/postgres/tables'
import { Library } from '../../../../server/data/library/library'
import { LibraryReadOnlyError } from '../../../../server/data/library/library-errors'
import { SCHEMA } from '../../../../server/data/library/schema'
import type { Relay } from '../../../support/cluster/relay'
import { collectionAs, type Note } from '../../../support/data/temp-library'

/** The cluster of a history. */
export const ID = 'the cluster'
/** A record that PostgreSQL refuses, as a full disk would. */
export const TOO_MUCH = 'too much'
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

interface Step {
  id: string
  isPut: boolean
}

/** What happens next in a history. */
export type Action =
  | { kind: 'change'; steps: Step[]; isTooMuch: boolean }
  | { kind: 'lose'; count: number }
  | { kind: 'hold' | 'release' | 'hang up' | 'settle' | 'depose' | 'resign' }

/**
 * A record that is deleted and put again in one commit may stand elsewhere after a restart; that is
 * no promise.
 */
const inOrder = (records: Iterable<readonly [string, string]>) =>
  [...records].map((it) => it.join(' ')).sort()

interface Change {
  steps: { id: string; note: Note | undefined }[]
  isKept: boolean | undefined
}

interface Primary {
  lease: WriterLease
  library: Library
}

/**
 * Processes that hold the lease of one cluster one after another, and what each change was
 * answered.
 */
export class History {
  readonly #changes: Change[] = []
  readonly #answers: Promise<unknown>[] = []
  /** How many commits PostgreSQL has acknowledged. */
  #commits = 0
  #processes = 0
  #primary!: Primary
  #made = 0
  readonly #begun: number

  private constructor(
    private readonly database: string,
    private readonly relay: Relay,
    /** Over a line without faults. */
    private readonly session: PostgresClient,
    begun: number,
  ) {
    this.#begun = begun
  }

  static async begin(database: string, relay: Relay, session: PostgresClient): Promise<History> {
    await session.query('truncate slipway.record')
    const history = new History(database, relay, session, await lastCommit(session))
    history.#primary = await history.#acquireLease()
    return history
  }

  async do(action: Action): Promise<void> {
    const { relay, database, session } = this
    if (action.kind === 'change') this.#change(action.steps, action.isTooMuch)
    else if (action.kind === 'lose') relay.loseNext(action.count)
    else if (action.kind === 'hold' || action.kind === 'release') relay.hold(action.kind === 'hold')
    else if (action.kind === 'settle') await this.settle()
    else if (action.kind === 'depose') await this.#depose()
    else if (action.kind === 'resign') await this.#resign()
    else
      await session.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
        [new URL(database).pathname.slice(1)],
      )
    // Commits begin in between.
    if (this.#made % 2 === 0) await session.query('select 1')
  }

  /** Waits for all answers, and compares memory and rows with them. */
  async settle(): Promise<void> {
    this.relay.hold(false)
    await Promise.all(this.#answers)
    const { library } = this.#primary
    await expect.poll(() => library.readOnly).toBe(false)
    this.#compare(library)
    await this.#compareRows()
  }

  async end(): Promise<void> {
    await this.settle()
    await this.#primary.library.close()
    await this.#primary.lease.resign()
  }

  #change(steps: readonly Step[], isTooMuch: boolean): void {
    const { library } = this.#primary
    const notes = collectionAs<Note>(library, 'posts')
    const numbered = steps.map(({ id, isPut }) => {
      return { id, note: isPut ? { id, text: String(++this.#made) } : undefined }
    })
    const all = isTooMuch
      ? [...numbered, { id: TOO_MUCH, note: { id: TOO_MUCH, text: '' } }]
      : numbered
    const change: Change = { steps: all, isKept: undefined }
    this.#changes.push(change)
    const transact = library.transact((tx) => {
      for (const { id, note } of all) {
        if (note !== undefined) tx.put(notes, id, note)
        else tx.delete(notes, id)
      }
    })
    const answer = (isKept: boolean) => {
      change.isKept = isKept
    }
    this.#answers.push(
      transact.then(
        () => answer(true),
        (cause: unknown) => {
          expect(cause).toBeInstanceOf(LibraryReadOnlyError)
          answer(false)
        },
      ),
    )
  }

  /** Another process takes over at this moment, whatever is under way. */
  async #depose(): Promise<void> {
    const old = this.#primary
    this.#primary = await this.#acquireLease()
    this.relay.hold(false)
    await Promise.all(this.#answers)
    await expect(old.lease.fresh()).rejects.toThrow('no longer the primary')
    this.#compare(old.library)
    await old.lease.resign()
  }

  async #resign(): Promise<void> {
    const old = this.#primary
    this.relay.hold(false)
    await old.library.close()
    await Promise.all(this.#answers)
    this.#compare(old.library)
    await old.lease.resign()
    this.#primary = await this.#acquireLease()
    this.#compare(this.#primary.library)
  }

  async #acquireLease(): Promise<Primary> {
    const through = this.relay.through(this.database)
    const session = await connect(this.database)
    for (;;) {
      const { epoch } = await requireCluster(this.session, ID, SCHEMA)
      const token = `host#${++this.#processes} ${epoch}`
      const term = await claim(session, { id: ID, epoch, token, address: null, isFree: true })
      // The primary itself began its next term.
      if (term === undefined) continue
      const lease = new WriterLease(term, session, {
        open: () => connect(through),
        id: ID,
        schema: SCHEMA,
        log,
      })
      return { lease, library: await this.#openLibrary(lease) }
    }
  }

  #openLibrary(lease: WriterLease): Promise<Library> {
    const counted = {
      accepts: () => lease.accepts(),
      commit: async (rows: Rows) => {
        await lease.commit(rows)
        this.#commits++
      },
    }
    // Over the line without faults: a host whose first reading fails starts again.
    const read = async () => {
      const { data, head } = await readSnapshot(this.session, ID)
      expect(head.seq).toBe(lease.seq)
      return data
    }
    return Library.on(new PostgresCommitLog({ lease: counted, log, read, retryMs: 5 }), log)
  }

  /** What was acknowledged. */
  #kept(): string[] {
    const records = new Map<string, string>()
    for (const { steps, isKept } of this.#changes) {
      for (const { id, note } of isKept === true ? steps : []) {
        if (note === undefined) records.delete(id)
        else records.set(id, note.text)
      }
    }
    return inOrder(records)
  }

  #compare(library: Library): void {
    const memory = [...collectionAs<Note>(library, 'posts').values()].map(
      ({ id, text }) => [id, text] as const,
    )
    expect(inOrder(memory), 'memory').toEqual(this.#kept())
  }

  async #compareRows(): Promise<void> {
    const { rows } = await this.session.query<{ id: string; value: string }>(
      'select id, value from slipway.record where value is not null',
    )
    const stored = rows.map(({ id, value }) => [id, (JSON.parse(value) as Note).text] as const)
    expect(inOrder(stored), 'rows').toEqual(this.#kept())
    expect((await lastCommit(this.session)) - this.#begun, 'commits, each once').toBe(this.#commits)
  }
}

const lastCommit = async (session: PostgresClient) =>
  (await requireCluster(session, ID, SCHEMA)).seq
