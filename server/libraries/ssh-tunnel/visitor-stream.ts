import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type { ClientChannel } from 'ssh2'

/** Bytes that one visitor may add before the next visitor. */
const TICK_BYTES = 64 * 1024

/**
 * The one connection to the SSH server, which all visitors share. ssh2 writes to it without
 * waiting: each download would queue up to 2 MiB, and on a slow line keepalives would arrive after
 * their deadline. So visitors write one after the other.
 */
export class Uplink {
  readonly #waiting: (() => void)[] = []

  constructor(private readonly socket: Socket) {
    socket.on('drain', () => {
      while (!socket.writableNeedDrain) {
        const next = this.#waiting.shift()
        if (next === undefined) return
        next()
      }
    })
  }

  /** Calls back when the connection accepts more bytes; never after it has closed. */
  whenFree(callback: () => void): void {
    if (this.socket.writableNeedDrain) this.#waiting.push(callback)
    else callback()
  }
}

/**
 * A visitor's connection through SSH that closes like a socket. The channel of ssh2 leaves writes
 * without an answer once it is closed, and does not report that it was destroyed.
 */
export class VisitorStream extends Duplex {
  constructor(
    private readonly channel: ClientChannel,
    private readonly uplink: Uplink,
  ) {
    super()
    channel.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) channel.pause()
    })
    channel.on('end', () => this.push(null))
    channel.on('close', () => this.#closed())
    channel.on('error', (error: Error) => this.destroy(error))
  }

  override _read(): void {
    this.channel.resume()
  }

  override _write(
    chunk: Buffer,
    _encoding: BufferEncoding,
    callback: (error?: Error | null) => void,
  ): void {
    const rest = chunk.subarray(TICK_BYTES)

    this.uplink.whenFree(() => {
      if (this.destroyed) return
      this.channel.write(chunk.subarray(0, TICK_BYTES), () => {
        if (rest.length === 0) callback()
        else this._write(rest, 'binary', callback)
      })
    })
  }

  override _final(callback: () => void): void {
    this.channel.end()
    callback()
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.channel.close()
    // Drain data that arrives until the server has closed the channel too.
    this.channel.resume()
    callback(error)
  }

  /** The visitor has disconnected. What arrived before can still be read, but no more written. */
  #closed(): void {
    if (this.readableEnded || this.writableLength > 0) this.destroy()
    else this.once('end', () => this.destroy())
  }
}
