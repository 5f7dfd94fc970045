import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { Transform, type TransformCallback } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/** Reads this long carry bytes of a file, not the head of a request. */
const BODY_BYTES = 32 * 1024

/**
 * A relay to a local port that fails as a line does: it is slow, falls silent, changes bytes, or is
 * cut.
 */
export async function weakLine(port: number) {
  let isSilent = false
  let bytesPerMs = Infinity
  let damages = 0
  const sockets = new Set<Socket>()
  const relay = createServer((client) => {
    sockets.add(client)
    if (isSilent) return void client.pause()
    const server = connect(port, '127.0.0.1')
    sockets.add(server)
    const through = (change: (chunk: Buffer) => void) =>
      new Transform({
        async transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) {
          if (bytesPerMs < Infinity) await pause(chunk.length / bytesPerMs)
          change(chunk)
          done(null, chunk)
        },
      })
    const harm = (chunk: Buffer) => {
      if (damages === 0 || chunk.length < BODY_BYTES) return
      damages--
      chunk[chunk.length - 1]! ^= 1
    }
    client.pipe(through(harm)).pipe(server)
    server.pipe(through(() => undefined)).pipe(client)
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      socket.on('error', () => {})
      socket.on('close', () => other.destroy())
    }
  })
  await once(relay.listen(0, '127.0.0.1'), 'listening')
  const cut = () => sockets.forEach((socket) => socket.destroy())
  onTestFinished(() => {
    cut()
    relay.close()
  })
  return {
    port: (relay.address() as AddressInfo).port,
    cut,
    /** Passes nothing more, without closing: what is open stays so forever. */
    silence() {
      isSilent = true
      for (const socket of sockets) socket.unpipe().pause().removeAllListeners('close')
    },
    /** New connections pass again. */
    restore() {
      isSilent = false
    },
    /** Flips one bit in each of the next long reads on their way to the server. */
    damage(reads: number) {
      damages = reads
    },
    get damagesLeft() {
      return damages
    },
    slowTo(megabytesPerSecond: number) {
      bytesPerMs = megabytesPerSecond * 1000
    },
  }
}
