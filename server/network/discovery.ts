import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { Bonjour } from 'bonjour-service'
import { discoveryName } from '../http/pipeline/host-check'
import type { Bound } from '../http/listen/listener'
import type { Log } from '../core/logging/log'
import { isReached } from './reach'

/** The maximum of a DNS label, in bytes (RFC 1035 §2.3.4). */
const LABEL_BYTES = 63

/**
 * How long to listen for taken names, in ms, and how many queries to send, since packets get lost.
 */
const LISTEN_MS = 1000
const QUESTIONS = 4

/** Limits how long a goodbye may delay closing, in ms. */
const GOODBYE_MS = 1000

interface Deps {
  bound: () => Bound
  address: () => string | undefined
  name: () => string
  version: string
  log: Log
}

/**
 * Announces this host on the network while it is shared, as an `_http._tcp` service (DNS-SD, RFC
 * 6763, over multicast DNS, RFC 6762) with its version. A failed announcement is no error: links
 * work without it.
 */
export class Discovery {
  #bonjour: Bonjour | undefined
  #told = ''

  constructor(private readonly deps: Deps) {}

  /**
   * Updates the announcement to the current address, port and name. A failure is retried at the
   * next change.
   */
  update(): void {
    try {
      this.#follow()
    } catch (err) {
      this.#fail(err)
    }
  }

  #follow(): void {
    const { bound, address, name, version } = this.deps
    const reached = isReached(bound()) ? address() : undefined
    const now = reached === undefined ? '' : JSON.stringify([bound(), reached, name()])

    if (now === this.#told) return
    this.#told = now
    const goodbye = this.#leave()
    if (reached === undefined) return

    // Select the interface by address: the default one may be a tunnel or missing.
    const options = { interface: reached, bind: '0.0.0.0' } as object
    const service = {
      type: 'http',
      port: bound().port,
      host: discoveryName(),
      txt: { path: '/', server: 'slipway', version },
    }
    const preferredName = label(name() === '' ? `Slipway on ${hostname()}` : name())

    const announce = async () => {
      // Only a shared host announces itself.
      const library = await import('bonjour-service')
      await goodbye
      if (this.#told !== now) return
      const bonjour = new library.Bonjour(options, (err: unknown) => this.#report(err))
      this.#bonjour = bonjour
      const free = await freeName(bonjour, preferredName)
      if (this.#bonjour === bonjour) bonjour.publish({ ...service, name: free, probe: false })
    }

    announce().catch((err: unknown) => this.#fail(err))
  }

  async close(): Promise<void> {
    this.#told = ''
    await this.#leave()
  }

  async #leave(): Promise<void> {
    const bonjour = this.#bonjour
    this.#bonjour = undefined
    if (!bonjour) return
    const gone = new Promise<void>((resolve) =>
      bonjour.unpublishAll(() => bonjour.destroy(() => resolve())),
    )
    await Promise.race([gone, pause(GOODBYE_MS, undefined, { ref: false })])
  }

  #fail(err: unknown): void {
    this.#told = ''
    this.#report(err)
  }

  #report(err: unknown): void {
    this.deps.log.info({ err }, 'mDNS announcement failed')
  }
}

/**
 * The name, with a number if another host uses it, as names are unique in a network (RFC 6763
 * §4.1.1). On a conflict the library would print a message and not announce at all.
 */
async function freeName(bonjour: Bonjour, preferredName: string): Promise<string> {
  const usedNames = new Set<string>()

  const listening = bonjour.find({ type: 'http' }, ({ name }) => usedNames.add(name.toLowerCase()))
  for (let round = 1; round <= QUESTIONS; round++) {
    await pause(LISTEN_MS / QUESTIONS, undefined, { ref: false })
    if (round < QUESTIONS) listening.update()
  }
  listening.stop()

  for (let name = preferredName, number = 2; ; number++) {
    if (!usedNames.has(name.toLowerCase())) return name
    const ending = ` (${number})`
    name = label(preferredName, LABEL_BYTES - ending.length) + ending
  }
}

function label(name: string, most = LABEL_BYTES): string {
  let text = ''
  for (const character of name) {
    if (Buffer.byteLength(text + character) > most) break
    text += character
  }
  return text
}
