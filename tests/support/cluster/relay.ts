import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** Stands between hosts and their engine. */
export interface Relay {
  /** The address of an engine, through the relay. */
  through: (url: string) => string
  /** How many answers were lost. */
  lost: () => number
  /**
   * From now on each answer is lost with this chance, with its connection; what was asked arrives. Answers while a session
   * opens arrive: else hardly any would.
   */
  lose: (chance: number) => void
  /** From now on nothing passes, and connections stay open; undone by false. */
  cut: (isCut: boolean) => void
  close: () => void
}

/** The answers while a session opens. */
const OPENING = 5

/** Passes on to a port of this computer. */
export async function aRelay(port: number): Promise<Relay> {
  const sockets = new Set<Socket>()
  let [chance, lost, isCut] = [0, 0, false]
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    let answers = 0
    near.on('data', (bytes) => far.write(bytes))
    far.on('data', (bytes) => {
      if (++answers <= OPENING || Math.random() >= chance) return near.write(bytes)
      lost++
      near.destroy()
      return far.end()
    })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      if (isCut) one.pause()
      one.on('error', () => undefined)
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    through: (url) => Object.assign(new URL(url), { port: String((server.address() as AddressInfo).port) }).href,
    lost: () => lost,
    lose: (next) => (chance = next),
    cut(next) {
      isCut = next
      for (const socket of sockets) socket[isCut ? 'pause' : 'resume']()
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
