import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Gate, type GateDeps } from './gate'
import type { Wire } from './peer'
import { describeObstacle } from './port-holder'
import type { Certificates } from './secure-door'

/** The address and port of the listener. */
export interface Bound {
  host: string
  port: number
  /** More addresses on the same port. */
  also: readonly string[]
}

/** Returns the URL for local use: loopback, unless a single address was chosen. */
export function localUrl({ host, port }: Pick<Bound, 'host' | 'port'>): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** Listening failed; the message says why and what to do. */
export class ListenError extends Error {
  override readonly name = 'ListenError'

  constructor(
    message: string,
    /**
     * Why the port is unavailable, such as `in use by nginx (process 123)`. Undefined for other
     * errors.
     */
    readonly obstacle?: string,
  ) {
    super(message)
  }
}

/** The HTTP server, which can move to another address while transfers continue. */
export class Listener {
  #gates: Gate[] = []
  readonly #leaving = new Set<Gate>()
  #certificates: Certificates = {}
  #bound: Bound = { host: '', port: 0, also: [] }
  /** Another program listens and hands connections over: where, it decides. */
  #isAdopted = false

  constructor(
    /** Makes what answers, when the listener opens. */
    private readonly makeHandler: () => RequestListener,
    private readonly deps: GateDeps,
  ) {}

  bound = (): Bound => this.#bound

  /** Accepts TLS on the same port with these certificates. Applies to new connections. */
  secure(certificates: Certificates): void {
    this.#certificates = certificates
    this.#gates.forEach((gate) => gate.offer(certificates))
  }

  /** Accepts at a socket that systemd listens on. */
  async adopt(fd: number): Promise<Bound> {
    this.#isAdopted = true
    const { address: host, port } = await this.#open({ fd })
    this.#bound = { host, port, also: [] }
    return this.#bound
  }

  /** Moves to this address; requests on the previous one finish. Throws ListenError. */
  async listen(next: Bound): Promise<Bound> {
    if (this.#isAdopted)
      throw new ListenError(
        'systemd listens for this host: change the address in its slipway.socket',
      )

    const before = this.#gates.length > 0 ? this.#bound : undefined
    this.#leave()

    try {
      return await this.#openAll(next)
    } catch (error) {
      this.#leave()
      if (before) await this.#openAll(before)
      throw error
    }
  }

  /** Takes a connection that a tunnel delivers, while listening; otherwise ends it. */
  take(wire: Wire): void {
    const [gate] = this.#gates
    if (gate) gate.take(wire)
    else wire.destroy()
  }

  /**
   * Stops accepting, gives running requests `drainMs` to finish, then cuts the remaining
   * connections.
   */
  async close(drainMs: number): Promise<void> {
    this.#leave()
    await Promise.all([...this.#leaving].map((gate) => gate.close(drainMs)))
  }

  /** Stops accepting, but answers the clients that are already connected. See `Gate.closeBut`. */
  async closeBut(stays: (wire: Wire) => boolean, drainMs: number): Promise<void> {
    const gates = this.#gates.splice(0)
    for (const gate of gates) this.#leaving.add(gate)
    await Promise.all([...this.#leaving].map((gate) => gate.closeBut(stays, drainMs)))
  }

  async #openAll({ host, port, also }: Bound): Promise<Bound> {
    const { port: boundPort } = await this.#open({ host, port })
    for (const address of also) await this.#open({ host: address, port: boundPort })
    this.#bound = { host, port: boundPort, also }
    return this.#bound
  }

  async #open(place: Parameters<Gate['listen']>[0]): Promise<AddressInfo> {
    const gate = new Gate(this.makeHandler(), this.deps)
    gate.offer(this.#certificates)
    const address = await gate.listen(place).catch(async (cause: unknown) => {
      if ('fd' in place)
        throw new ListenError(`The socket of systemd cannot be used: ${String(cause)}`)
      throw await listenError(cause, place)
    })
    this.#gates.push(gate)
    return address
  }

  /** Stops listening immediately; open connections continue. */
  #leave(): void {
    for (const gate of this.#gates.splice(0)) {
      this.#leaving.add(gate)
      void gate.leave().then(() => this.#leaving.delete(gate))
    }
  }
}

async function listenError(
  cause: unknown,
  { host, port }: Pick<Bound, 'host' | 'port'>,
): Promise<ListenError> {
  const { code } = cause as { code?: string }
  const obstacle = await describeObstacle(code, port)

  if (obstacle !== undefined)
    return new ListenError(
      `Port ${port} on ${host} is ${obstacle}: choose another with --port`,
      obstacle,
    )
  return new ListenError(
    reason(code, host, port) ?? `Listening on ${host} port ${port} failed: ${String(cause)}`,
  )
}

function reason(code: string | undefined, host: string, port: number): string | undefined {
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `This computer has no address ${host}: choose one with --host`
  if (code === 'EACCES')
    return `Port ${port} needs administrator rights: choose one above 1023 with --port`
  return undefined
}
