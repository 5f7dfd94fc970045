import { setTimeout as pause } from 'node:timers/promises'
import { backoffMs } from '../../core/backoff'
import type { Clock } from '../../core/clock'
import type { Log } from '../../core/logging/log'
import { Signal } from '../../core/signal'
import type { Disk } from '../../core/durable-file'
import {
  SshSession,
  TunnelRefused,
  type SshDeps,
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
  /**
   * Retries only when a person opens it again. `fingerprint`: of the key that the server presented.
   */
  | { kind: 'failed'; problem: TunnelProblem; fingerprint: string | null; detail: string }

interface TunnelDeps {
  dataDir: string
  disk: Disk
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
  /** Takes a visitor's connection, with the visitor's own address. */
  enter: SshDeps['enter']
  patience?: SshPatience
}

const usualPatience: SshPatience = { openMs: 15_000, keepaliveMs: 15_000 }

/** Waits before a retry. */
const WAITS = { firstMs: 1000, longestMs: 60_000 }
/** A session that lasted less does not shorten the next wait, in ms. */
const STEADY_MS = 30_000
/** How often a waiting tunnel reads the clock, in ms. */
const LOOK_MS = 250

/**
 * A tunnel to your SSH server: the server forwards its port to this host, and each connection has
 * the visitor's own address. Reconnects automatically, except after a refusal that only a person
 * can resolve.
 */
export class Tunnel {
  #state: TunnelState | undefined
  #running: { stop: AbortController; ended: Promise<void> } | undefined
  readonly #changed = new Signal()

  constructor(private readonly deps: TunnelDeps) {}

  /** Undefined: closed. */
  get state(): TunnelState | undefined {
    return this.#state
  }

  /** Calls back after each change of the state. Returns how to end that. */
  onChange(listener: () => void): () => void {
    return this.#changed.subscribe(listener)
  }

  /**
   * Opens it in place of the one before, and returns once that has started. Throws if the key
   * cannot be kept.
   */
  async open(choice: TunnelChoice): Promise<void> {
    const { privateKey } = await tunnelKey(this.deps.dataDir, this.deps.disk)
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
   * Ends a tunnel whose public address does not answer: with `GatewayPorts no`, its default, sshd
   * reports success but listens on its loopback address only. `detail`: what a request to the
   * public address got.
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
    const { clock } = this.deps
    for (let failures = 1; ; failures++) {
      this.#set({ kind: 'connecting' })
      const startedAt = clock.elapsed()
      const failure = await this.#attempt(choice, privateKey, signal)
      if (signal.aborted) return
      if (failure instanceof TunnelRefused) return this.#refused(failure)
      if (clock.elapsed() - startedAt >= STEADY_MS && this.#state?.kind === 'open') failures = 1
      if (!(await this.#wait(failure.message, backoffMs(failures, WAITS), signal))) return
    }
  }

  /** Connects, and returns why the session ended or did not start. */
  async #attempt(choice: TunnelChoice, privateKey: string, signal: AbortSignal): Promise<Error> {
    const { clock, enter, log, patience = usualPatience } = this.deps
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
    this.deps.log.warn(
      { problem, fingerprint, detail },
      'the tunnel stops until a person opens it again',
    )
    this.#set({ kind: 'failed', problem, fingerprint, detail })
  }

  /** Returns whether the wait has passed: false once it is closed. */
  async #wait(problem: string, ms: number, signal: AbortSignal): Promise<boolean> {
    const { clock, log } = this.deps
    const dueAt = clock.elapsed() + ms

    log.warn({ problem, retryAfterMs: ms }, 'the tunnel is interrupted')
    this.#set({
      kind: 'waiting',
      retryAt: new Date(clock.now().getTime() + ms).toISOString(),
      problem,
    })

    while (!signal.aborted && clock.elapsed() < dueAt) {
      await pause(Math.min(LOOK_MS, ms), undefined, { signal }).catch(() => {})
    }
    return !signal.aborted
  }

  #set(state: TunnelState | undefined): void {
    if (state === undefined && this.#state === undefined) return
    this.#state = state
    this.#changed.emit()
  }
}
