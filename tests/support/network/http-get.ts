import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { TestServer } from '../world/test-server'

/**
 * Asks for a path as a client does that reads the body at its own pace, on a connection of its own.
 */
export const opened = (
  server: TestServer,
  path: string,
  headers: Record<string, string> = {},
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get(server.url + path, { headers, agent: false }, resolve).once('error', reject)
  })

/** The bytes of a part of a file, as a client with its own name fetches them. */
export async function fetched(
  server: TestServer,
  path: string,
  range?: string,
  agent = 'tests',
): Promise<Buffer> {
  const response = await opened(server, path, {
    'user-agent': agent,
    ...(range === undefined ? {} : { range }),
  })
  return buffer(response)
}

/** Reads at least so many bytes of a body, then leaves. */
export async function leaveAfter(response: IncomingMessage, bytes: number): Promise<void> {
  let got = 0
  for await (const chunk of response) {
    got += (chunk as Buffer).length
    if (got >= bytes) break
  }
  response.destroy()
}
