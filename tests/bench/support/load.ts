import { connect } from 'node:net'
import { performance } from 'node:perf_hooks'

export interface Question {
  url: string
  headers?: Readonly<Record<string, string>>
  /** The only one that is right; 200 by default. */
  status?: number
  method?: string
  /** Asks from this address; otherwise from many, which Linux has in 127.0.0.0/8. */
  from?: string
  /** How many ask at once; 16 by default. */
  clients?: number
  /** How long a client rests after each answer, in ms. */
  pauseMs?: number
}

/** A network may open 600 pages in a minute, and 4 large replies at once. */
const [ANSWERS_PER_CONNECTION, CONNECTIONS_PER_ADDRESS] = [125, 4]

/**
 * Clients ask as fast as they are answered, until `isOver` the number of all answers. Returns how
 * long each took, in ms. Of a reply they read its length only: the server is to be what takes time.
 * Throws at any other status.
 */
export async function load(
  question: Question,
  isOver: (answers: number) => boolean,
): Promise<number[]> {
  const took: number[] = []
  const client = async () => {
    while (!isOver(took.length)) await askOnConnection(question, took, isOver)
  }
  await Promise.all(Array.from({ length: question.clients ?? 16 }, client))
  return took
}

/** For `load`: over after so many ms from now. */
export function during(ms: number): () => boolean {
  const end = performance.now() + ms
  return () => performance.now() > end
}

function askOnConnection(
  question: Question,
  took: number[],
  isOver: (answers: number) => boolean,
): Promise<void> {
  const {
    url,
    headers = {},
    status = 200,
    method = 'GET',
    from = takeAddress(),
    pauseMs = 0,
  } = question
  const { host, hostname, port, pathname, search } = new URL(url)
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  const text = `${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`
  return new Promise((resolve, reject) => {
    let [answers, missing, start] = [0, 0, 0]
    const next = () => {
      start = performance.now()
      socket.write(text)
    }
    const socket = connect(
      { host: hostname, port: Number(port), localAddress: from, noDelay: true },
      next,
    )
    socket.on('data', (bytes) => {
      if (missing === 0) missing = measureReply(bytes, status, method)
      missing -= bytes.length
      if (missing > 0) return
      if (Number.isNaN(missing))
        return socket.destroy(new Error(`${method} ${url}: ${bytes.toString('latin1')}`))
      took.push(performance.now() - start)
      if (isOver(took.length) || ++answers === ANSWERS_PER_CONNECTION) {
        resolve()
        socket.destroy()
      } else if (pauseMs === 0) next()
      else setTimeout(next, pauseMs)
    })
    socket
      .once('error', reject)
      .once('close', () => reject(new Error(`${method} ${url}: the connection is closed`)))
  })
}

let connections = 0

function takeAddress(): string {
  const n = Math.floor(connections++ / CONNECTIONS_PER_ADDRESS)
  return `127.${1 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}`
}

/**
 * How many bytes the reply has that begins here, with its head, which Node sends at once; NaN for a
 * wrong reply.
 */
function measureReply(bytes: Buffer, status: number, method: string): number {
  const head = bytes.toString('latin1', 0, bytes.indexOf('\r\n\r\n') + 4)
  if (!head.startsWith(`HTTP/1.1 ${status} `)) return NaN
  const hasBody = method !== 'HEAD' && status !== 304
  return head.length + (hasBody ? Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]) : 0)
}
