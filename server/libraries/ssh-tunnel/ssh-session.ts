import { connect, isIP, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Client, ConnectConfig, TcpConnectionDetails } from 'ssh2'
import { plainAddress } from '../../core/net/ip-address'
import { systemWords } from '../../core/system-words'
import { sha256Of } from '../../core/sha256'
import { Uplink, VisitorStream } from './visitor-stream'

export interface TunnelChoice {
  /** Name or address of the SSH server. */
  server: string
  port: number
  user: string
  /** The port where the server accepts visitors. */
  remotePort: number
  /** The server's key as `SHA256:…`, which a person has confirmed; null: not yet. */
  fingerprint: string | null
}

/** Problems that a person has to solve before the tunnel opens. */
export type TunnelProblem =
  | 'key_refused'
  | 'fingerprint_unknown'
  | 'fingerprint_changed'
  | 'forwarding_refused'
  | 'loopback_only'

/** Retrying would change nothing. `message` is the server's or our explanation. */
export class TunnelRefused extends Error {
  constructor(
    readonly problem: TunnelProblem,
    readonly fingerprint: string | null,
    detail: string,
  ) {
    super(detail)
  }
}

/** Timeouts of the SSH connection, in ms. */
export interface SshPatience {
  /** Until it has accepted our key. */
  openMs: number
  /** Between two keepalives. A session ends when two of them got no answer. */
  keepaliveMs: number
}

export interface SshDeps {
  choice: TunnelChoice
  /** OpenSSH format. */
  privateKey: string
  patience: SshPatience
  /** Takes a visitor's connection, with the visitor's own address. */
  enter: (stream: Duplex, address: string) => void
  /** Ends the attempt or the session. */
  signal: AbortSignal
}

/** Timeout for the server to close its side, in ms. */
const LEAVING_MS = 500

/**
 * The message of sshd, besides a failure, when it will never forward this port (SSH_MSG_DEBUG, RFC
 * 4253 §11.3).
 */
const NEVER_FORWARDS =
  /^Debug output from server: "(Server has disabled port forwarding|port forwarding refused)/

/** The SHA-256 of an SSH public key, as `ssh-keygen -lf` prints it. */
export const fingerprintOf = (key: Buffer): string =>
  `SHA256:${sha256Of(key, 'base64').replace(/=+$/, '')}`

/** One connection to an SSH server, with remote forwarding (RFC 4254 §7). */
export class SshSession {
  /** The server's key, once it has presented one. */
  fingerprint: string | null = null
  /** Resolves with the reason once the connection has closed. */
  readonly ended: Promise<Error>
  readonly #client: Client
  readonly #socket: Socket
  #failure: Error | undefined
  #neverForwards: string | undefined

  private constructor(
    client: Client,
    private readonly deps: SshDeps,
  ) {
    const { server, port } = deps.choice
    this.#client = client
    this.#socket = connect({ host: server, port, noDelay: true })

    this.ended = new Promise((resolve) => client.once('close', () => resolve(this.#reason())))
    client.on('error', (error) => {
      this.#failure ??= error
      // A server that does not close its side must not keep the connection.
      this.#socket.destroy()
    })
  }

  /**
   * Connects, checks the server's key before it sends any data, and lets the server listen on all
   * its addresses. Throws TunnelRefused, or an error whose message is the reason.
   */
  static async open(deps: SshDeps): Promise<SshSession> {
    // Load on demand: most hosts have no tunnel.
    const { default: ssh2 } = await import('ssh2')
    deps.signal.throwIfAborted()
    const session = new SshSession(new ssh2.Client(), deps)
    const stop = () => session.#end()
    deps.signal.addEventListener('abort', stop)
    void session.ended.then(() => deps.signal.removeEventListener('abort', stop))
    await session.#signIn()
    await session.#forward()
    return session
  }

  async #signIn(): Promise<void> {
    const ready = new Promise<undefined>((resolve) =>
      this.#client.once('ready', () => resolve(undefined)),
    )
    this.#client.connect(this.#config())
    const failure = await Promise.race([ready, this.ended])
    if (failure !== undefined) throw failure
  }

  /**
   * Asks the server to listen. The server gives no reason for a refusal, except that it never
   * forwards.
   */
  async #forward(): Promise<void> {
    const uplink = new Uplink(this.#socket)
    this.#client.on('tcp connection', (from, accept, reject) => {
      const address = addressOf(from)
      if (address === undefined) reject()
      else this.deps.enter(new VisitorStream(accept(), uplink), address)
    })

    const { remotePort } = this.deps.choice
    const isRefused = await new Promise<boolean>((resolve) =>
      this.#client.forwardIn('', remotePort, (error) => resolve(error !== undefined)),
    )

    if (!isRefused) return

    const failure =
      this.#neverForwards === undefined
        ? (this.#failure ?? new Error(`Port ${remotePort} of the server is in use`))
        : new TunnelRefused('forwarding_refused', this.fingerprint, this.#neverForwards)
    this.#end()
    throw failure
  }

  #config(): ConnectConfig {
    const { choice, privateKey, patience } = this.deps
    return {
      sock: this.#socket,
      username: choice.user,
      privateKey,
      authHandler: ['publickey'],
      hostVerifier: (key: Buffer) => {
        this.fingerprint = fingerprintOf(key)
        return this.fingerprint === choice.fingerprint
      },
      readyTimeout: patience.openMs,
      keepaliveInterval: patience.keepaliveMs,
      keepaliveCountMax: 2,
      debug: (line) => {
        this.#neverForwards ??= NEVER_FORWARDS.exec(line)?.[1]
      },
    }
  }

  #end(): void {
    this.#client.end()
    setTimeout(() => this.#socket.destroy(), LEAVING_MS).unref()
  }

  #reason(): Error {
    const failure = this.#failure
    const { choice } = this.deps

    if (this.fingerprint !== null && this.fingerprint !== choice.fingerprint) {
      const problem = choice.fingerprint === null ? 'fingerprint_unknown' : 'fingerprint_changed'
      return new TunnelRefused(problem, this.fingerprint, 'Nothing was sent to the server')
    }

    if (failure === undefined) return new Error('The server closed the connection')
    if (levelOf(failure) !== 'client-authentication') return new Error(systemWords(failure))
    return new TunnelRefused(
      'key_refused',
      this.fingerprint,
      'The server does not accept the key of this computer',
    )
  }
}

const levelOf = (error: Error) => ('level' in error ? error.level : undefined)

/** The visitor's address; undefined if the server sends something else. */
function addressOf({ srcIP }: TcpConnectionDetails): string | undefined {
  const address = plainAddress(srcIP)
  return isIP(address) === 0 ? undefined : address
}
