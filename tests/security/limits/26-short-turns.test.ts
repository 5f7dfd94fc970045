import { expect } from 'vitest'
import { endpoints } from '../../../server/http/endpoint/addresses'
import { aFile, anApp, aProject, aUser } from '../../support/world/factories'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import type { UserRecord } from '../../../server/data/records/account-records'

/** CPU time of the event loop that one turn of it may take, in ms. */
const MOST_MS = 100
const TRIES = 3
const RELEASES = 1500
/** Of all kinds that made Markdown slow; each as long as the host allows. */
const slow = ['__a', '___a', '*_a', '- ', 'a.', '[', '\\[', '`\\', 'www.']
const hostile = (length: number, number: number) =>
  `${number}${(slow[number % slow.length] ?? '').repeat(length)}`.slice(0, length - 8) + '@[a]: b\n'

/**
 * A public project with the most of everything, all of it hostile. Each call writes other texts.
 */
async function fill(
  server: TestServer,
  alice: UserRecord,
  id: string,
  round: number,
): Promise<void> {
  const client = server.as(alice)
  const numbers = Array.from({ length: 50 }, (_, number) => number)
  await Promise.all([
    client.projects.update({ id, description: hostile(20_000, round) }),
    client.posts.add({ id, content: hostile(5_000, round) }),
    ...numbers.map((number) =>
      client.releases.update({
        id,
        version: `1.0.${RELEASES - number}`,
        notes: hostile(10_000, round + number),
      }),
    ),
  ])
}

async function aFullProject(server: TestServer) {
  const alice = await aUser(server, 'alice')
  const { slug } = await aProject(server, alice, { title: 'Rocket', is_public: true })
  const client = server.as(alice)
  const versions = Array.from({ length: RELEASES }, (_, number) => `1.0.${number + 1}`)
  for (let at = 0; at < versions.length; at += 100)
    await Promise.all(
      versions
        .slice(at, at + 100)
        .map((version) => client.releases.create({ id: slug, version, notes: 'Faster' })),
    )
  const fields = { project_id: slug, is_public: true, version: `1.0.${RELEASES}` }
  await anApp(server, alice, { ...fields, filename: 'rocket.apk' })
  await aFile(server, alice, { ...fields, filename: `${'é'.repeat(100)}.exe` })
  await aFile(server, alice, { project_id: slug, is_public: true, filename: 'loose.zip' })
  return { alice, slug }
}

/** The longest turn of the event loop during a request, in ms of CPU time. */
async function longestTurn(ask: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let isAsking = true
  let before = process.threadCpuUsage()
  const turn = () => {
    const { user, system } = process.threadCpuUsage(before)
    before = process.threadCpuUsage()
    longest = Math.max(longest, (user + system) / 1000)
    if (isAsking) setImmediate(turn)
  }
  setImmediate(turn)
  await ask()
  isAsking = false
  return longest
}

/** Headers and query of a stranger who wants to cost much. */
const headers = {
  'user-agent': `Version/${'1'.repeat(12_000)}`,
  'accept-language': 'a-'.repeat(500),
}
const query = `since=0.1&q=${'a.'.repeat(500)}&search=${'a.'.repeat(100)}&channel=${'%'.repeat(3)}25&page=1&page_size=100`

test('no public request and no page holds the event loop for long, whatever people wrote', async ({
  server,
}) => {
  const { alice, slug } = await aFullProject(server)
  const version = `1.0.${RELEASES}`
  const values: Record<string, string> = {
    id: slug,
    slug,
    version,
    filename: 'rocket.apk',
    platform: 'android',
    feed: 'latest.yml',
  }
  const calls = endpoints
    .filter(({ method }) => method === 'GET')
    .map(({ path }) => path.replace(/:(\w+)/g, (_, name: string) => values[name] ?? 'x'))
  const pages = ['', '/releases', `/releases/${version}`, '/install'].map(
    (page) => `/p/${slug}${page}`,
  )
  const addresses = [...new Set([...calls, ...pages, '/', '/browse', '/nowhere'])].filter(
    (it) => !it.endsWith('/events'),
  )

  let opened = 0
  let round = 0
  const long: string[] = []
  for (const address of addresses) {
    const turns: number[] = []
    while (turns.length < TRIES && !turns.some((ms) => ms < MOST_MS)) {
      // Texts are parsed once.
      if (address.includes(slug)) await fill(server, alice, slug, round++)
      turns.push(
        await longestTurn(async () => {
          for (const url of [address, `${address}?${query}`]) {
            const reply = await server.fetch(url, { headers })
            await reply.arrayBuffer()
            if (reply.ok) opened++
          }
        }),
      )
    }
    if (!turns.some((ms) => ms < MOST_MS))
      long.push(`${address}: ${turns.map(Math.round).join(', ')} ms`)
  }
  expect(long).toEqual([])
  expect(opened).toBeGreaterThan(20)
})
