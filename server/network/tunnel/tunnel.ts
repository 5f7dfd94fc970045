import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../core/clock'
import type { Log } from '../../core/logging/log'
import type { Disk } from '../../data/durable-file'
import {
  SshSession,
  TunnelRefused,
  type SshNeeds,
  type SshPatience,
  type TunnelChoice,
  type TunnelProblem,
} from './ssh-session'
import { tunnelKey } from './tunnel-key'

export type TunnelState =
  | { kind: 'connecting' }
  | { kind: 'open'; since: string; port: number }
  /** `problem`: the reason in the other party's words. */
  | { kind: 'waiting'; retryAt: string; problem: string }
  /** Retries only when a person opens it again. `fingerprint`: of the key that the server presented. */
  | { kind: 'failed'; problem: TunnelProblem; fingerprint: string | null; detail: string }

interface TunnelNeeds {
  dataDir: string
  disk: Disk
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
  /** Takes a visitor's connection, with the visitor's own address. */
  enter: SshNeeds['enter']
  patience?: SshPatience
}

const usualPatience: SshPatience = { openMs: 15_000, keepaliveMs: 15_000 }

/** First and longest wait before a retry, in ms. */
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 60_000
/** A session that lasted less does not shorten the next wait, in ms. */
const STEADY_MS = 30_000
/** How often a waiting tunnel reads the clock, in ms. */
const LOOK_MS = 250

/** How long to wait before retry number `attempt` (the first is 0), in ms. */
export const waitBefore = (attempt: number): number => Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_WAIT_MS)

/**
 * A tunnel to an SSH server of one's own: the server's port leads here, and each connection arrives with the visitor's
 * own address. Reconnects by itself, except after a refusal that only a person can resolve.
 */
export class Tunnel {
  #state: TunnelState | undefined
  #running: { stop: AbortController; ended: Promise<void> } | undefined
  readonly #listeners = new Set<() => void>()

  constructor(private readonly needs: TunnelNeeds) {}

  /** Undefined: closed. */
  get state(): TunnelState | undefined {
    return this.#state
  }

  /** Calls back after each change of the state. Returns how to end that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Opens it in place of the one before, and returns once that has started. Throws if the key cannot be kept. */
  async open(choice: TunnelChoice): Promise<void> {
    const { privateKey } = await tunnelKey(this.needs.dataDir, this.needs.disk)
    await this.close()
    // A later call has overtaken this one.
    if (this.#running !== undefined) return
    const stop = new AbortController()
    this.#running = { stop, ended: this.#run(choice, privateKey, stop.signal) }
  }

  /** Closes it within a second, so that the server stops listening. Idempotent. */
  close(): Promise<void> {
    return this.#end(undefined)
  }

  /**
   * Ends a tunnel whose public address does not answer: with `GatewayPorts no`, its default, sshd reports success but
   * listens on its loopback address only. `detail`: what a request to the public address got.
   */
  async failAsLoopbackOnly(detail: string): Promise<void> {
    if (this.#state?.kind === 'open')
      await this.#end({ kind: 'failed', problem: 'loopback_only', fingerprint: null, detail })
  }

  async #end(state: TunnelState | undefined): Promise<void> {
    const running = this.#running
    this.#running = undefined
    running?.stop.abort()
    this.#set(state)
    await running?.ended
  }

  async #run(choice: TunnelChoice, privateKey: string, signal: AbortSignal): Promise<void> {
    const { clock } = this.needs
    for (let attempt = 0; ; attempt++) {
      this.#set({ kind: 'connecting' })
      const startedAt = clock.elapsed()
      const failure = await this.#attempt(choice, privateKey, signal)
      if (signal.aborted) return
      if (failure instanceof TunnelRefused) return this.#refused(failure)
      if (clock.elapsed() - startedAt >= STEADY_MS && this.#state?.kind === 'open') attempt = 0
      if (!(await this.#wait(failure.message, waitBefore(attempt), signal))) return
    }
  }

  /** Connects, and returns why the session ended or did not start. */
  async #attempt(choice: TunnelChoice, privateKey: string, signal: AbortSignal): Promise<Error> {
    const { clock, enter, log, patience = usualPatience } = this.needs
    try {
      const session = await SshSession.open({ choice, privateKey, patience, enter, signal })
      if (signal.aborted) return await session.ended
      log.info({ server: choice.server, port: choice.remotePort }, 'the tunnel is open')
      this.#set({ kind: 'open', since: clock.now().toISOString(), port: choice.remotePort })
      return await session.ended
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  #refused({ problem, fingerprint, message: detail }: TunnelRefused): void {
    this.needs.log.warn({ problem, fingerprint, detail }, 'the tunnel stops until a person opens it again')
    this.#set({ kind: 'failed', problem, fingerprint, detail })
  }

  /** Returns whether the wait has passed: false once it is closed. */
  async #wait(problem: string, ms: number, signal: AbortSignal): Promise<boolean> {
    const { clock, log } = this.needs
    const dueAt = clock.elapsed() + ms
    log.warn({ problem, retryAfterMs: ms }, 'the tunnel is interrupted')
    this.#set({ kind: 'waiting', retryAt: new Date(clock.now().getTime() + ms).toISOString(), problem })
    while (!signal.aborted && clock.elapsed() < dueAt) {
      await pause(Math.min(LOOK_MS, ms), undefined, { signal }).catch(() => {})
    }
    return !signal.aborted
  }

  #set(state: TunnelState | undefined): void {
    if (state === undefined && this.#state === undefined) return
    this.#state = state
    for (const listener of [...this.#listeners]) listener()
  }
}
