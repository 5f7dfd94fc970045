import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'

/** Linux has the whole of 127.0.0.0/8: this one stands for another machine. */
const ATTACKER = '127.0.0.2'
/** A client that waits longer has given up, in ms. */
const GIVE_UP_MS = 60_000

interface Asked {
  method?: string
  body?: string
  headers?: Record<string, string>
  isAttack?: boolean
}

/**
 * The status and the time in ms of a request on a connection of its own; status 0: there was no
 * answer.
 */
export function ask(url: string, { method = 'GET', body, headers, isAttack = false }: Asked = {}) {
  const begun = performance.now()
  return new Promise<{ status: number; ms: number }>((resolve) => {
    const done = (status: number) => resolve({ status, ms: performance.now() - begun })
    const from = isAttack ? { localAddress: ATTACKER } : {}
    const asking = request(
      url,
      { agent: false, timeout: GIVE_UP_MS, method, headers, ...from },
      (reply) => {
        buffer(reply).then(
          () => done(reply.statusCode ?? 0),
          () => done(0),
        )
      },
    )
    asking.on('timeout', () => asking.destroy())
    asking.on('error', () => done(0))
    asking.end(body)
  })
}

/** What other clients see while some work runs, and the work's own time in ms. */
export async function whileRunning(url: string, work: () => Promise<unknown>) {
  const over = new AbortController()
  const begun = performance.now()
  const running = work().finally(() => over.abort())
  const others: { status: number; ms: number }[] = []
  while (!over.signal.aborted) {
    others.push(await ask(`${url}/api/auth/check`))
    await pause(10)
  }
  await running
  const answered = others.filter(({ status }) => status === 200)
  return {
    took: performance.now() - begun,
    asked: others.length,
    answered: answered.length,
    worst: Math.max(...others.map(({ ms }) => ms)),
  }
}

/**
 * So many connections of one address, opened 200 at a time. The n-th sends a request and never
 * reads, or stays silent.
 */
export async function hold(
  port: number,
  count: number,
  request?: (n: number) => string,
): Promise<Socket[]> {
  const sockets: Socket[] = []
  const open = (n: number) =>
    new Promise<void>((resolve) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress: ATTACKER }, () => {
        if (request) socket.write(request(n))
        resolve()
      })
      socket.on('error', () => resolve())
      // Only reading notices a close by the host; connections that send a request never read the
      // reply.
      if (!request) socket.resume()
      sockets.push(socket)
    })
  for (let begun = 0; begun < count; begun += 200)
    await Promise.all(
      Array.from({ length: Math.min(200, count - begun) }, (_, n) => open(begun + n)),
    )
  return sockets
}
