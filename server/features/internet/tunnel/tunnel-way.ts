import { setTimeout as pause } from 'node:timers/promises'
import type { InternetSettings } from '../../../data/settings/settings-schema'
import type { TunnelChoice } from '../../../libraries/ssh-tunnel/ssh-session'
import { Certifier } from '../certifier'
import { DRAIN_MS, type InternetDeps } from '../needs'
import { judge, publicOrigin, type Situation } from '../situation'
import type { Run, Way } from '../way'

/** The public ports at which authorities validate (RFC 8555 §8.3, RFC 8737 §3). */
const VALIDATED: Partial<Record<number, 'http' | 'tls'>> = { 80: 'http', 443: 'tls' }
/** A server needs a moment before its new port answers: how often to ask, and the delay in ms. */
const TRIES = 3
const TRY_MS = 500

/**
 * Opens this host through an SSH server of the user. The tunnel reconnects by itself; after each
 * connection a request has to prove it.
 */
export class TunnelWay implements Way {
  readonly #certifier: Certifier
  #running: AbortController | undefined
  #provedSince = ''

  constructor(
    private readonly deps: InternetDeps,
    private readonly situation: Situation,
  ) {
    this.#certifier = new Certifier(deps, situation)
    deps.tunnel.onChange(() => this.#follow())
  }

  /** Returns once the first connection succeeded, waits or failed. */
  async open({ signal }: Run): Promise<void> {
    const { tunnel, settings, authorizedKey, door } = this.deps
    const running = new AbortController()
    this.#running = running

    this.situation.apply('steps', 'door', 'tunnel', 'certificate', 'proof')
    await door.open()
    this.situation.apply('step', 'door', 'done')
    this.situation.apply('step', 'tunnel', 'running')

    const choice = toTunnelChoice(settings())
    this.situation.apply('checked', { authorizedKey: await authorizedKey(choice.remotePort) })
    signal.throwIfAborted()

    const opened = this.#firstResult(AbortSignal.any([signal, running.signal]))
    await tunnel.open(choice)
    await opened
  }

  /** Renews the certificate. The tunnel reconnects by itself. */
  async check(signal: AbortSignal): Promise<void> {
    const { url, isTunnelProved } = this.situation.get()
    if (!this.#running || url === null || !isTunnelProved || !this.#certifier.isDue(false)) return
    await this.#certify(signal, false)
    this.#publish()
  }

  async close(): Promise<void> {
    this.#running?.abort()
    this.#running = undefined
    this.#provedSince = ''
    await Promise.all([this.deps.tunnel.close(), this.deps.door.close(DRAIN_MS)])
  }

  #firstResult(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        const { state } = judge({ ...this.situation.get(), busy: null })
        if (state === 'opening' && !signal.aborted) return
        unsubscribe()
        resolve()
      }
      const unsubscribe = this.situation.onChange(look)
      signal.addEventListener('abort', look, { once: true })
    })
  }

  #follow(): void {
    const running = this.#running
    if (!running) return

    const { state } = this.deps.tunnel
    this.situation.apply('tunnel', state)

    const since = state?.kind === 'open' ? state.since : ''
    if (since === this.#provedSince) return
    this.#provedSince = since
    if (since === '') return

    this.#prove(running.signal, since).catch((err: unknown) => {
      if (!running.signal.aborted) this.deps.log.warn({ err }, 'cannot prove the tunnel')
    })
  }

  /**
   * Sends a real request through the tunnel: an SSH server may report forwarding, but listen on its
   * loopback address only.
   */
  async #prove(signal: AbortSignal, since: string): Promise<void> {
    const { situation, deps: needs } = this
    situation.apply('step', 'tunnel', 'done')

    await this.#certifier.load(this.#subject())
    this.#publish()

    const isProved = await this.#ask(signal)
    signal.throwIfAborted()
    // The tunnel was interrupted during this. Its next connection is proved again.
    if (needs.tunnel.state?.kind !== 'open' || needs.tunnel.state.since !== since) return

    if (!isProved) {
      situation.apply('step', 'proof', 'failed')
      return needs.tunnel.failAsLoopbackOnly(`Nothing answers at ${situation.get().url ?? ''}`)
    }

    await this.#certify(signal, true)
    const at = needs.clock.now().toISOString()
    situation.apply('proved', { at, by: 'request', family: 'ipv4', place: '' })
    this.#publish()
  }

  async #ask(signal: AbortSignal): Promise<boolean> {
    for (let tried = 0; tried < TRIES; tried++) {
      if (tried > 0) await pause(TRY_MS, undefined, { signal })
      const { url } = this.situation.get()
      if (url !== null && (await this.deps.ask(url)) === 'ok') return true
    }
    return false
  }

  /**
   * Orders a certificate. Authorities do not validate at other ports, so the page stays at plain
   * HTTP, without sign-in.
   */
  async #certify(signal: AbortSignal, isAsked: boolean): Promise<void> {
    const by = VALIDATED[this.deps.settings().tunnel_remote_port]
    if (by === undefined) return
    this.situation.apply('step', 'certificate', 'running')
    await this.#certifier.order({ subject: this.#subject(), by, isAsked, signal })
    this.situation.apply(
      'step',
      'certificate',
      this.situation.get().certificate === 'valid' ? 'done' : 'failed',
    )
  }

  #publish(): void {
    const { tunnel_remote_port: port } = this.deps.settings()
    const url = publicOrigin(this.situation.get(), this.#subject(), port)
    this.situation.apply('published', url, port, this.deps.clock.now())
  }

  #subject(): string {
    const { internet_name: name, tunnel_server: server } = this.deps.settings()
    return name === '' ? server : name
  }
}

const toTunnelChoice = (settings: InternetSettings): TunnelChoice => ({
  server: settings.tunnel_server,
  port: settings.tunnel_port,
  user: settings.tunnel_user,
  remotePort: settings.tunnel_remote_port,
  fingerprint: settings.tunnel_fingerprint,
})
