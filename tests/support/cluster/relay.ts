import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** Stands between hosts and their database. */
export interface Relay {
  /** The address of a database, through the relay. */
  through: (url: string) => string
  /** How many answers were lost. */
  lost: () => number
  /**
   * From now on each answer is lost with this chance, with its connection; what was asked arrives.
   * Answers while a session opens arrive: else hardly any would.
   */
  lose: (chance: number) => void
  /** So many of the next answers are lost, as above. */
  loseNext: (count: number) => void
  /** From now on nothing passes, and connections stay open; undone by false. */
  cut: (isCut: boolean) => void
  /** From now on answers wait, and what is asked passes; undone by false. */
  hold: (isHeld: boolean) => void
  /** From now on new connections lead to this port. */
  leadTo: (port: number) => void
  close: () => void
}

/** The answers while a session opens. */
const OPENING = 5

/** Passes on to a port of this computer. */
export async function aRelay(port: number): Promise<Relay> {
  const sockets = new Set<Socket>()
  const answering = new Set<Socket>()
  let [chance, lost, toLose, isCut, isHeld] = [0, 0, 0, false, false]
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    let answers = 0
    near.on('data', (bytes) => far.write(bytes))
    far.on('data', (bytes) => {
      if (++answers <= OPENING || (toLose === 0 && Math.random() >= chance))
        return near.write(bytes)
      lost++
      toLose = Math.max(0, toLose - 1)
      near.destroy()
      return far.end()
    })
    answering.add(far)
    if (isHeld) far.pause()
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      if (isCut) one.pause()
      one.on('error', () => undefined)
      one.on('close', () => {
        sockets.delete(one)
        answering.delete(one)
        other.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    through: (url) =>
      Object.assign(new URL(url), { port: String((server.address() as AddressInfo).port) }).href,
    lost: () => lost,
    lose: (next) => (chance = next),
    loseNext: (count) => (toLose = count),
    leadTo: (next) => (port = next),
    hold(next) {
      isHeld = next
      for (const socket of answering) socket[isHeld ? 'pause' : 'resume']()
    },
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
