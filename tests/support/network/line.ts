import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { pipeline, Transform } from 'node:stream'

/** Passes bytes on all connections of a line in one direction, until it has to hold them. */
class Valve {
  #left = Infinity
  #waiting: (() => void)[] = []
  /** Bytes so far, with those that it holds. */
  bytes = 0

  /** What becomes of each piece: others of as many bytes. */
  rewrite = (piece: Buffer): Buffer => piece

  /** A piece of no more bytes than `exempt` is not held: it is one of the page's small calls. */
  constructor(private readonly exempt: number) {}

  /** Passes so many more bytes, and nothing after them. */
  holdAfter(bytes: number): void {
    this.#left = bytes
  }

  /** Whether bytes are being held back. */
  get isHolding(): boolean {
    return this.#waiting.length > 0
  }

  open(): void {
    this.#left = Infinity
    for (const goOn of this.#waiting.splice(0)) goOn()
  }

  stream(): Transform {
    return new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        this.bytes += chunk.length
        this.#left -= chunk.length
        const piece = this.rewrite(chunk)
        if (this.#left > 0 || chunk.length <= this.exempt) done(null, piece)
        else this.#waiting.push(() => done(null, piece))
      },
    })
  }
}

/** A line between a browser and the host that a test can cut: TCP, byte for byte. */
export class Relay {
  readonly url: string
  readonly toHost = new Valve(4096)
  readonly toBrowser = new Valve(0)
  readonly #sockets = new Set<Socket>()
  #port: number | undefined

  private constructor(private readonly server: Server) {
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    server.on('connection', (socket) => this.#connect(socket))
  }

  static async open(port = 0): Promise<Relay> {
    const server = createServer()
    await once(server.listen(port, '127.0.0.1'), 'listening')
    return new Relay(server)
  }

  /** From now on the line leads to the host at this address. */
  leadTo(url: string): void {
    this.#port = Number(new URL(url).port)
  }

  /**
   * Has the policy of each page forbid its scripts: WebKitGTK, which its driver asks by scripts, has
   * no switch.
   */
  forbidScripts(): void {
    const forbid = (policy: string) => "script-src 'none'".padEnd(policy.length)
    this.toBrowser.rewrite = (piece) =>
      Buffer.from(piece.toString('latin1').replace(/script-src [^;]+/, forbid), 'latin1')
  }

  /** Ends every connection now, and lets new ones through. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Blocks all connections until `leadTo`. */
  block(): void {
    this.#port = undefined
    this.cut()
  }

  close(): void {
    this.block()
    this.server.close()
  }

  #connect(browser: Socket): void {
    if (this.#port === undefined) return void browser.destroy()
    const host = connect(this.#port, '127.0.0.1')
    for (const socket of [browser, host]) this.#sockets.add(socket)
    const end = () => {
      for (const socket of [browser, host]) {
        socket.destroy()
        this.#sockets.delete(socket)
      }
    }
    pipeline(browser, this.toHost.stream(), host, end)
    pipeline(host, this.toBrowser.stream(), browser, end)
  }
}
