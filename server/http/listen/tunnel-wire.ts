import { Duplex } from 'node:stream'

/** A connection that a tunnel delivers, with the address and the timeout that a socket has. */
export class TunnelWire extends Duplex {
  #idle: NodeJS.Timeout | undefined
  #idleMs = 0

  constructor(
    private readonly stream: Duplex,
    readonly remoteAddress: string,
  ) {
    super({ allowHalfOpen: true })
    stream.on('data', (bytes: Buffer) => {
      this.#idle?.refresh()
      if (!this.push(bytes)) stream.pause()
    })
    stream.once('end', () => this.push(null))
    stream.once('error', (error) => this.destroy(error))
    stream.once('close', () => this.destroy())
  }

  /** Emits `timeout` after `ms` without traffic, as net.Socket does; 0: never. */
  setTimeout(ms: number, listener?: () => void): this {
    clearTimeout(this.#idle)
    this.#idle = undefined
    this.#idleMs = ms
    if (listener && ms > 0) this.once('timeout', listener)
    if (listener && ms === 0) this.off('timeout', listener)
    if (ms > 0 && !this.destroyed) this.#idle = setTimeout(() => this.#timeOut(), ms).unref()
    return this
  }

  override _read(): void {
    this.stream.resume()
  }

  override _write(
    bytes: Buffer,
    encoding: BufferEncoding,
    done: (error?: Error | null) => void,
  ): void {
    this.#idle?.refresh()
    this.stream.write(bytes, encoding, done)
  }

  override _final(done: (error?: Error | null) => void): void {
    this.stream.end(() => done())
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#idle)
    this.stream.destroy()
    done(error)
  }

  /** A socket's timeout repeats while it stays silent. */
  #timeOut(): void {
    this.setTimeout(this.#idleMs)
    this.emit('timeout')
  }
}
