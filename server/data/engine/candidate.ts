import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { msSince, thisMoment, type Moment } from '../../core/clock'
import {
  engineWarning,
  openSafe,
  requireOwnSessions,
  requireSafe,
  type EngineClient,
} from './connection'
import { EngineError, engineError } from './engine-error'
import { requireProof } from './files/file-cipher'
import { claim, isSessionOver, OFFICE_CHANNEL, SILENCE_MS, type Term } from './head'
import { Office, type OfficeOptions } from './office'
import { requireCluster, type Head } from './tables'
import { keepTidy } from './tidy'

export interface CandidateOptions extends Pick<OfficeOptions, 'schema' | 'log' | 'address'> {
  /** The address of the engine. */
  engine: string
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

/** How often to look whether the office is free, in ms. */
const LOOK_MS = 500
/** The session of a writer must be over for so long, in ms: it may be connecting again. */
const GONE_MS = 900
/** After the engine has started, its writer may come back first, in ms. */
const PRECEDENCE_MS = 1500

/**
 * Waits until this process is the writer of its cluster: at once where there is none, 1 to 2 s
 * after it has died, 5 to 6 s after it has fallen silent. Throws EngineError if the engine can
 * never be used like this, and what `readCluster` does.
 */
export async function takeOffice(options: CandidateOptions): Promise<Office> {
  const id = await options.readCluster()
  const candidate = new Candidate(options, id)
  for (let isFirst = true; ; isFirst = false) {
    try {
      const office = await candidate.look(isFirst)
      if (office !== undefined) return office
    } catch (cause) {
      candidate.hangUp()
      const error = engineError(cause)
      if (isFirst && !error.mayPass) throw error
      options.onWait({ words: error.message, isProblem: true })
    }
    await candidate.pause()
  }
}

class Candidate {
  #session: EngineClient | undefined
  #openedAt: Moment = thisMoment()
  /** Since when the session of this epoch's writer has been over. */
  #goneSince: (Moment & { epoch: number }) | undefined
  #wake: () => void = () => undefined
  readonly #token: string

  constructor(
    private readonly options: CandidateOptions,
    private readonly id: string,
  ) {
    this.#token = `${options.host}#${randomBytes(9).toString('base64url')}`
  }

  /** Takes the office if it is free. */
  async look(isFirst: boolean): Promise<Office | undefined> {
    const { schema, keyProof, onWait } = this.options
    const session = (this.#session ??= await this.#open(isFirst))
    const askedAt = thisMoment()
    const head = await requireCluster(session, this.id, schema)
    requireProof(head, keyProof)
    // The engine was away, though the session has survived.
    if (msSince(askedAt) > PRECEDENCE_MS) this.#openedAt = thisMoment()
    const term = await this.#claim(session, head)
    if (term === undefined) {
      onWait({ words: `${head.writer ?? 'no host'} is the writer`, isProblem: false })
      return undefined
    }
    session.removeAllListeners('notification')
    const { engine, address, log } = this.options
    const open: OfficeOptions['open'] = (patience) => openSafe(engine, patience)
    const office = new Office(term, session, { open, id: this.id, schema, address, log })
    keepTidy(office, log)
    return office
  }

  /** Until the next look, or until the writer steps down. */
  async pause(): Promise<void> {
    const woken = new Promise<void>((resolve) => (this.#wake = resolve))
    await Promise.race([pause(LOOK_MS), woken])
  }

  hangUp(): void {
    void this.#session?.end().catch(() => undefined)
    this.#session = undefined
    this.#goneSince = undefined
  }

  async #open(isFirst: boolean): Promise<EngineClient> {
    const { engine, log } = this.options
    const session = await openSafe(engine)
    if (isFirst) {
      await requireOwnSessions(engine, session)
      const warning = engineWarning(await requireSafe(session))
      if (warning !== undefined) log.warn({}, warning)
    }
    session.on('notification', () => this.#wake())
    await session.query(`listen ${OFFICE_CHANNEL}`)
    this.#openedAt = thisMoment()
    return session
  }

  async #claim(session: EngineClient, { epoch, silent }: Head): Promise<Term | undefined> {
    const isGone = await this.#isGone(session, epoch)
    const isSilent = silent === null || (silent * 1000 > SILENCE_MS && this.#isPatient())
    if (!isGone && !isSilent) return undefined
    await this.#requireFolder()
    const { address = null } = this.options
    return claim(session, { id: this.id, epoch, token: this.#token, address, isFree: isGone })
  }

  async #isGone(session: EngineClient, epoch: number): Promise<boolean> {
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
      throw new EngineError(cause instanceof Error ? cause.message : String(cause), true, cause)
    })
    if (id !== this.id) throw new EngineError('The data folder belongs to another cluster now')
  }
}
