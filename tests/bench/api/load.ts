import { Agent, request } from 'node:http'
import { performance } from 'node:perf_hooks'

const CLIENTS = 16

type Headers = Record<string, string>

/**
 * Sixteen clients ask for one address as fast as it is answered, for so many ms. Returns how long each took, in ms. Throws
 * at any other status.
 */
export async function load(url: string, headers: Headers, ms: number, status = 200, method = 'GET'): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
  const took: number[] = []
  const until = performance.now() + ms
  const client = async () => {
    while (performance.now() < until) {
      const start = performance.now()
      await ask({ url, headers, agent, status, method })
      took.push(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  agent.destroy()
  return took
}

interface Question {
  url: string
  headers: Headers
  agent: Agent
  status: number
  method?: string
}

/** Asks once, and returns when the whole answer is here. */
export const ask = ({ url, headers, agent, status, method = 'GET' }: Question): Promise<void> =>
  new Promise((resolve, reject) => {
    request(url, { method, headers, agent }, (response) => {
      if (response.statusCode !== status) reject(new Error(`${url}: ${response.statusCode}`))
      response.resume().once('end', resolve)
    })
      .once('error', reject)
      .end()
  })
