import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A raw reply. */
export interface RawReply {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  body: string
}

/** A raw connection, on which a test can write any bytes. */
export class RawClient {
  #received = ''
  /** Whether the server has ended the connection, in one way or the other. */
  readonly closed: Promise<void>

  private constructor(readonly socket: Socket) {
    socket.setEncoding('latin1').on('data', (chunk: string) => (this.#received += chunk))
    socket.on('error', () => undefined)
    this.closed = new Promise((resolve) => socket.on('close', () => resolve()))
  }

  /** `from` is the loopback address that the client has (Linux). */
  static async connect(port: number, from = '127.0.0.1'): Promise<RawClient> {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from })
    await once(socket, 'connect')
    return new RawClient(socket)
  }

  /** Writes a request line and headers; the Host is ours unless they say otherwise. */
  head(port: number, line: string, headers: Record<string, string> = {}): this {
    const all = { Host: `127.0.0.1:${port}`, ...headers }
    this.write(
      `${line} HTTP/1.1\r\n${Object.entries(all)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('')}\r\n`,
    )
    return this
  }

  write(bytes: string | Uint8Array): this {
    this.socket.write(bytes)
    return this
  }

  /** Everything received so far. */
  get received(): string {
    return this.#received
  }

  /** The first complete reply, once its announced body has arrived. */
  async reply(): Promise<RawReply> {
    for (;;) {
      const reply = parse(this.#received)
      if (reply) return reply
      const ended = await Promise.race([
        once(this.socket, 'data').then(() => false),
        this.closed.then(() => true),
      ])
      if (ended && !parse(this.#received))
        throw new Error(`The connection ended after ${JSON.stringify(this.#received)}`)
    }
  }

  close(): void {
    this.socket.destroy()
  }
}

function parse(text: string): RawReply | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [line = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((header) => {
      const [name = '', value = ''] = header.split(/: ?(.*)/s)
      return [name.toLowerCase(), value] as const
    }),
  )
  const body = text.slice(end + 4)
  const length = Number(headers['content-length'] ?? 0)
  return body.length < length
    ? undefined
    : { status: Number(line.split(' ')[1]), headers, body: body.slice(0, length) }
}
