import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { msSince, thisMoment, type Moment } from '../../core/clock'
import {
  postgresWarning,
  openSafe,
  requireOwnSessions,
  requireSafe,
  type PostgresClient,
} from './connection'
import { PostgresError, postgresError } from './postgres-error'
import { requireProof } from './files/file-cipher'
import { claim, isSessionOver, LEASE_CHANNEL, SILENCE_MS, type Term } from './head'
import { WriterLease, type LeaseOptions } from './writer-lease'
import { requireCluster, type Head } from './tables'
import { keepTidy } from './tidy'

export interface CandidateOptions extends Pick<LeaseOptions, 'schema' | 'log' | 'address'> {
  /** The address of PostgreSQL. */
  postgres: string
  /** The name of this host. */
  host: string
  /**
   * The id of the cluster that the data folder belongs to. Rejects while the folder cannot be used.
   */
  readCluster: () => Promise<string>
  /** See `requireProof`. */
  keyProof: string
  /** Receives why this host still waits, at each look. */
  onWait: (reason: WaitReason) => void
}

/** `words` of a problem may name addresses and folders, which are not for strangers. */
export interface WaitReason {
  words: string
  isProblem: boolean
}

/** How often to look whether the lease is free, in ms. */
const LOOK_MS = 500
/** The session of a primary must be over for so long, in ms: it may be connecting again. */
const GONE_MS = 900
/** After PostgreSQL has started, its primary may come back first, in ms. */
const PRECEDENCE_MS = 1500

/**
 * Waits until this process is the primary of its cluster: at once where there is none, 1 to 2 s
 * after it has died, 5 to 6 s after it has fallen silent. Throws PostgresError if PostgreSQL can
 * never be used like this, and what `readCluster` does.
 */
export async function acquireLease(options: CandidateOptions): Promise<WriterLease> {
  const id = await options.readCluster()
  const candidate = new Candidate(options, id)

  for (let isFirst = true; ; isFirst = false) {
    try {
      const lease = await candidate.look(isFirst)
      if (lease !== undefined) return lease
    } catch (cause) {
      candidate.hangUp()
      const error = postgresError(cause)
      if (isFirst && !error.mayPass) throw error
      options.onWait({ words: error.message, isProblem: true })
    }
    await candidate.pause()
  }
}

class Candidate {
  #session: PostgresClient | undefined
  #openedAt: Moment = thisMoment()
  /** Since when the session of this epoch's primary has been over. */
  #goneSince: (Moment & { epoch: number }) | undefined
  #wake: () => void = () => undefined
  readonly #token: string

  constructor(
    private readonly options: CandidateOptions,
    private readonly id: string,
  ) {
    this.#token = `${options.host}#${randomBytes(9).toString('base64url')}`
  }

  /** Takes the lease if it is free. */
  async look(isFirst: boolean): Promise<WriterLease | undefined> {
    const { schema, keyProof, onWait } = this.options
    const session = (this.#session ??= await this.#open(isFirst))
    const askedAt = thisMoment()

    const head = await requireCluster(session, this.id, schema)
    requireProof(head, keyProof)
    // PostgreSQL was away, though the session has survived.
    if (msSince(askedAt) > PRECEDENCE_MS) this.#openedAt = thisMoment()

    const term = await this.#claim(session, head)
    if (term === undefined) {
      onWait({ words: `${head.primary ?? 'no host'} is the primary`, isProblem: false })
      return undefined
    }

    session.removeAllListeners('notification')
    const { postgres, address, log } = this.options
    const open: LeaseOptions['open'] = (patience) => openSafe(postgres, patience)
    const lease = new WriterLease(term, session, { open, id: this.id, schema, address, log })
    keepTidy(lease, log)
    return lease
  }

  /** Until the next look, or until the primary steps down. */
  async pause(): Promise<void> {
    const woken = new Promise<void>((resolve) => (this.#wake = resolve))
    await Promise.race([pause(LOOK_MS), woken])
  }

  hangUp(): void {
    void this.#session?.end().catch(() => undefined)
    this.#session = undefined
    this.#goneSince = undefined
  }

  async #open(isFirst: boolean): Promise<PostgresClient> {
    const { postgres, log } = this.options
    const session = await openSafe(postgres)

    if (isFirst) {
      await requireOwnSessions(postgres, session)
      const warning = postgresWarning(await requireSafe(session))
      if (warning !== undefined) log.warn({}, warning)
    }

    session.on('notification', () => this.#wake())
    await session.query(`listen ${LEASE_CHANNEL}`)
    this.#openedAt = thisMoment()
    return session
  }

  async #claim(session: PostgresClient, { epoch, silent }: Head): Promise<Term | undefined> {
    const isGone = await this.#isGone(session, epoch)
    const isSilent = silent === null || (silent * 1000 > SILENCE_MS && this.#isPatient())
    if (!isGone && !isSilent) return undefined
    await this.#requireFolder()
    const { address = null } = this.options
    return claim(session, { id: this.id, epoch, token: this.#token, address, isFree: isGone })
  }

  async #isGone(session: PostgresClient, epoch: number): Promise<boolean> {
    if (!(await isSessionOver(session, epoch))) {
      this.#goneSince = undefined
      return false
    }
    if (this.#goneSince?.epoch !== epoch) this.#goneSince = { ...thisMoment(), epoch }
    return msSince(this.#goneSince) >= GONE_MS && this.#isPatient()
  }

  #isPatient(): boolean {
    return msSince(this.#openedAt) >= PRECEDENCE_MS
  }

  /** Without its data folder a host could not serve. It may come back. */
  async #requireFolder(): Promise<void> {
    const id = await this.options.readCluster().catch((cause: unknown) => {
      throw new PostgresError(cause instanceof Error ? cause.message : String(cause), true, cause)
    })
    if (id !== this.id) throw new PostgresError('The data folder belongs to another cluster now')
  }
}
