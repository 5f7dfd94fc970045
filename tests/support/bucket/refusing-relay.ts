import { once } from 'node:events'
import {
  createServer,
  request as requestOf,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

const refusalOf = (asked: string | undefined): { status: number; body: string } => {
  const [status, code] = asked === 'GET uploads' ? [501, 'NotImplemented'] : [403, 'AccessDenied']
  return { status, body: `<Error><Code>${code}</Code></Error>` }
}

/** Stands between hosts and a store. */
export interface RefusingRelay {
  endpoint: string
  /** What was asked since the last change, as `PUT part 2` or `DELETE piece`. */
  asked: string[]
  /**
   * After so many more requests, all are refused at once, as if the host had lost its key. With
   * `arrives`, the first of them is carried out all the same, as if the host had died before its
   * answer.
   */
  refuseAfter: (count: number, arrives?: boolean) => void
  /**
   * Requests of this kind, such as `POST blob`, are refused from now on. `GET uploads`: as by a
   * store that does not list unfinished uploads.
   */
  refused: string | undefined
}

export async function aRefusingRelay(storeUrl: string): Promise<RefusingRelay> {
  let left = Infinity
  let arrives = false
  const refuse = (request: IncomingMessage, response: ServerResponse) => {
    const { status, body } = refusalOf(relay.asked.at(-1))
    request
      .resume()
      .once('end', () => response.writeHead(status, { 'content-length': body.length }).end(body))
  }
  const server = createServer((request, response) => {
    const { method = '', headers, url = '' } = request
    relay.asked.push(describeRequest(method, url))
    const isRefused = left-- <= 0 || relay.asked.at(-1) === relay.refused
    if (isRefused && !(arrives && left === -1)) return refuse(request, response)
    const onward = requestOf(new URL(url, storeUrl), { method, headers }, (answer) => {
      const { status, body } = refusalOf(undefined)
      if (isRefused) answer.resume().once('end', () => response.writeHead(status).end(body))
      else answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers))
    })
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => server.close().closeAllConnections())
  await once(server, 'listening')
  const relay: RefusingRelay = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    refused: undefined,
    refuseAfter(count, lastArrives = false) {
      relay.asked = []
      left = count
      arrives = lastArrives
    },
  }
  return relay
}

function describeRequest(method: string, url: string): string {
  const part = /partNumber=(\d+)/.exec(url)?.[1]
  if (method === 'GET' && /[?&]uploads\b/.test(url)) return 'GET uploads'
  const what = url.includes('/uploads/') ? 'piece' : url.includes('/blobs/') ? 'blob' : 'bucket'
  return `${method} ${part === undefined ? what : `part ${part}`}`
}
