import { expect } from 'vitest'
import { calls, endpointOf } from '../../support/calls'
import { test } from '../../support/world/http'
import { ask, type Fetch } from '../../support/access/ask'
import {
  actorNames,
  everybody,
  somePeople,
  thingsOf,
  type Things,
} from '../../support/access/alices-world'
import { inputs } from '../../support/access/inputs'

/** The cost of a hash has no effect on permissions. */

/** HAProxy sends a request with this header to the host of that number; 0 is the primary. */
const at =
  (host: number, fetch: Fetch): Fetch =>
  (path, init = {}) => {
    const headers = new Headers(init.headers)
    headers.set('test-host', String(host))
    return fetch(path, { ...init, headers })
  }

const reads = calls.filter(
  (call) => endpointOf(call).method === 'GET' && endpointOf(call).events !== true,
)

const pagesOf = ({ project, token }: Things) => [
  ...[
    '/',
    '/browse',
    '/public-files',
    '/login',
    '/register',
    '/docs',
    '/robots.txt',
    '/sitemap.xml',
    '/nowhere',
  ],
  ...[
    `/p/${project.slug}`,
    `/p/${project.slug}/install`,
    `/t/${token}`,
    '/t/nothing',
    '/assets/main-abc123.js',
  ],
]

/** But for the time and the free space of the disk. */
const seen = async (asking: Promise<Response>) => {
  const response = await asking
  const headers = [...response.headers].filter(([name]) => name !== 'date')
  return {
    status: response.status,
    headers,
    body: (await response.text()).replaceAll(/"free":\d+/g, ''),
  }
}

test.for([true, false])(
  '41: each host answers each read and each page alike to each actor, where things are public: %s',
  { timeout: 240_000 },
  async (isPublic, { server }) => {
    const people = await somePeople(server)
    const come = await everybody(server, people)
    const things = await thingsOf(server, people, isPublic)
    for (const actor of actorNames) {
      const fetch = await come(actor)
      const compare = async (what: string, asking: (fetch: Fetch) => Promise<Response>) => {
        const primary = await seen(asking(at(0, fetch)))
        for (const host of [1, 2])
          expect
            .soft([actor, what, await seen(asking(at(host, fetch)))])
            .toEqual([actor, what, primary])
      }
      for (const call of reads)
        await compare(call, (asked) =>
          ask(asked, call, inputs[call]({ things, people, by: 'somebody' })),
        )
      for (const page of pagesOf(things))
        await compare(page, (asked) => asked(page, { redirect: 'manual' }))
    }
  },
)
