import { createServer, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { listening } from '../../support/system/listening'

interface Comment {
  id: number
  body: string
  user: { login: string; type: 'User' | 'Bot' }
  author_association: string
}

/** Stands in for the comments of one pull request at a forge. */
export interface SmallForge {
  url: string
  comments: Comment[]
  /** The method and path of each request. */
  calls: string[]
  /** Adds a comment of a person. */
  say: (login: string, body: string, association?: string) => void
  /** Answers all requests with this status from now on. */
  fail: (status: number, headers?: Record<string, string>) => void
}

export const TOKEN = 'token-of-the-job'

/**
 * Where GitHub (REST API 2022-11-28, "Issue comments") and GitLab (API v4, "Notes") list, take and
 * change comments.
 */
const LISTS =
  /^\/(repos\/maya\/lantern\/issues\/128\/comments|projects\/7\/merge_requests\/128\/notes)$/
const ONE =
  /^\/(repos\/maya\/lantern\/issues\/comments|projects\/7\/merge_requests\/128\/notes)\/(\d+)$/

const hasToken = ({ headers }: IncomingMessage) =>
  headers.authorization === `Bearer ${TOKEN}` || headers['private-token'] === TOKEN

/** Starts one, which ends with the test. */
export async function aSmallForge(): Promise<SmallForge> {
  const comments: Comment[] = []
  const calls: string[] = []
  let failing: { status: number; headers: Record<string, string> } | undefined

  const add = (user: Comment['user'], body: string, author_association: string) => {
    const comment = { id: 1000 + comments.length, body, user, author_association }
    comments.push(comment)
    return comment
  }

  async function answer(request: IncomingMessage): Promise<[status: number, body?: unknown]> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://forge')
    calls.push(`${request.method} ${pathname}`)
    if (!hasToken(request)) return [401]

    if (request.method === 'GET' && LISTS.test(pathname)) {
      const size = Number(searchParams.get('per_page'))
      const start = (Number(searchParams.get('page')) - 1) * size
      return [200, comments.slice(start, start + size)]
    }

    const { body } = (await json(request)) as { body: string }
    if (request.method === 'POST' && LISTS.test(pathname))
      return [201, add({ login: 'github-actions[bot]', type: 'Bot' }, body, 'NONE')]

    const changes = pathname.startsWith('/repos/') ? 'PATCH' : 'PUT'
    const comment = comments.find(({ id }) => String(id) === ONE.exec(pathname)?.[2])
    if (!comment || request.method !== changes) return [404]
    comment.body = body
    return [200, comment]
  }

  const server = createServer((request, response) => {
    void answer(request).then(([status, body]) => {
      response.writeHead(failing?.status ?? status, {
        'content-type': 'application/json',
        ...failing?.headers,
      })
      response.end(JSON.stringify(body ?? { message: 'No' }))
    })
  })
  const port = await listening(server)
  onTestFinished(() => void server.close())

  return {
    url: `http://127.0.0.1:${port}`,
    comments,
    calls,
    say: (login, body, association = 'NONE') => {
      add({ login, type: 'User' }, body, association)
    },
    fail: (status, headers = {}) => {
      failing = { status, headers }
    },
  }
}
