import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** The limit of a connection in bytes, asked for each one; without it, none. */
interface Carries {
  toHost?: () => number
  toClient?: () => number
}

/** A proxy that closes each connection once it has passed so many bytes in one direction. */
export async function cuttingRelay(port: number, { toHost, toClient }: Carries) {
  const line = { url: '', cuts: 0 }
  const relay = createServer((client) => {
    const host = connect(port, '127.0.0.1')
    const close = () => [client, host].forEach((socket) => socket.destroy())
    let [up, down] = [toHost?.() ?? Infinity, toClient?.() ?? Infinity]
    client.on('data', (chunk: Buffer) => {
      up -= chunk.length
      if (up < 0) return cut()
      if (!host.write(chunk)) client.pause()
    })
    host
      .on('drain', () => client.resume())
      .on('data', (chunk: Buffer) => {
        if (!client.write(chunk.subarray(0, down))) host.pause()
        down -= chunk.length
        if (down <= 0) cut()
      })
    client.on('drain', () => host.resume())
    for (const socket of [client, host]) socket.on('error', close)
    client.on('close', close)
    host.on('close', () => client.end())
    /** The passed bytes still arrive. */
    function cut() {
      line.cuts++
      host.destroy()
    }
  })
  await once(relay.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void relay.close())
  line.url = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`
  return line
}
