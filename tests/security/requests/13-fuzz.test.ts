import fc from 'fast-check'
import { expect } from 'vitest'
import { address, encodeBody } from '../../../renderer/lib/client/api-client'
import { api, travelsInBody, type Endpoint } from '../../../server/contract'
import { rounds } from '../../support/system/rounds'
import { aFile, aLink, aPost, aProject, aUser } from '../../support/world/factories'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

const REQUESTS = rounds(20_000, 1000)

const calls = new Map<string, Endpoint>(
  Object.entries(api).flatMap(([feature, actions]) =>
    Object.entries(actions)
      .map(([action, endpoint]) => [`${feature}.${action}`, endpoint as Endpoint] as const)
      .filter(([, endpoint]) => !movesTheHost(endpoint)),
  ),
)

type Things = Awaited<ReturnType<typeof someThings>>
/** A value that is looked up when the request is made. */
type Known = (things: Things) => string

/** Existing records, so that some requests get far; and the callers. */
async function someThings(server: TestServer, number: number) {
  const alice = await aUser(server, `alice${number}`)
  const project = await aProject(server, alice, { is_public: true })
  const file = await aFile(server, alice, { filename: 'rocket.apk', is_public: true })
  const gone = await aFile(server, alice)
  await server.as(alice).files.remove({ id: gone.file_id })
  await aLink(server, alice, project, file)
  const post = await aPost(server, alice, project)
  const { record: key } = await server.inside.apiKeys.create(alice.id, 'CI', null)
  const { browser } = await server.signedIn(alice)
  const host = server.inside.users.byName('host') ?? (await aUser(server, 'host', { isHost: true }))
  const atWindow = (await server.atWindow(host)).browser.fetch
  const fetches = {
    key: server.fetchAs(alice),
    session: browser.fetch,
    nobody: server.fetch,
    host: atWindow,
  }
  return { alice, project, file, gone, post, key, fetches }
}

/** A call that moves the host to another port would end the test. */
function movesTheHost({ input }: Endpoint): boolean {
  return 'port' in input.shape
}

const project: Known = (things) => things.project.slug
const file: Known = (things) => things.file.file_id
const post: Known = (things) => things.post.post_id
const username: Known = (things) => things.alice.username
const userId: Known = (things) => things.alice.id
const deleted: Known = (things) => things.gone.file_id
const key: Known = (things) => things.key.id
const sha256: Known = (things) => things.file.sha256

/** Plausible values, by the name of the field; other fields get a sentence. */
const likely: Record<string, unknown[]> = {
  id: [project, file, key, userId, deleted],
  ...{
    ids: [file],
    sha256: [sha256],
    filename: ['rocket.apk'],
    project: [project],
    nonce: ['a-nonce-of-16-up'],
  },
  ...{
    project_id: [project],
    slug: [project],
    file_id: [file],
    downloadId: [file],
    postId: [post],
  },
  ...{
    username: [username, 'somebody'],
    collaboratorId: [username],
    email: ['somebody@example.com'],
  },
  ...{
    limit: [1],
    offset: [0],
    days: [7],
    expires_days: [7],
    visibility: ['public'],
    tier_name: ['Pro'],
  },
  ...{
    is_public: [true, 'true'],
    disabled: [false],
    open: [true],
    scopes: [['read']],
    project_url: ['https://a.example'],
  },
}

const nasty = [
  ...[
    '',
    ' ',
    '.',
    '..',
    '../../etc/passwd',
    'a\0b',
    '\u202e',
    '\ud800',
    '%00',
    '%E0%A4%A',
    "' OR 1=1",
    '<script>',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'null',
    'undefined',
    'NaN',
    '1e309',
    '-0',
    'true',
    '2030-01-01',
  ],
]

/** Anything that JSON can carry. */
const text = fc.oneof(fc.constantFrom(...nasty), fc.string({ unit: 'binary', maxLength: 40 }))
const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, -1, 2 ** 53, 1e308))
const plain = fc.oneof(text, number, fc.boolean(), fc.constant(null), fc.constant(undefined))
const dictionary = fc.dictionary(text, plain, { maxKeys: 3, noNullPrototype: true })
const anything = fc.oneof(
  { weight: 6, arbitrary: plain },
  fc.array(plain, { maxLength: 3 }),
  dictionary,
)

/** The name of a call, and an input of its shape in which most fields stand a chance. */
const requests = fc.constantFrom(...calls.keys()).chain((call) => {
  const fields = Object.keys(calls.get(call)!.input.shape).map((name) => {
    const chance = fc.constantFrom(...(likely[name] ?? ['some text']))
    return [
      name,
      fc.oneof({ weight: 3, arbitrary: chance }, { weight: 1, arbitrary: anything }),
    ] as const
  })
  return fc.tuple(
    fc.constant(call),
    fc.record(Object.fromEntries(fields), { noNullPrototype: true }),
  )
})

/** What an address or a form can carry of a value. */
const asText = (value: unknown) =>
  (typeof value === 'string' ? value : JSON.stringify(value ?? null)).toWellFormed()
const asTexts = (fields: object) =>
  Object.fromEntries(Object.entries(fields).map(([name, it]) => [name, asText(it)]))

function requestOf(endpoint: Endpoint, input: object): [string, RequestInit] {
  const { method } = endpoint
  if (endpoint.body === 'bytes')
    return [address(endpoint, asTexts(input)).url, { method, body: 'x' }]
  if (!travelsInBody(endpoint)) return [address(endpoint, asTexts(input)).url, { method }]
  const inPath = Object.entries(input).map(([name, it]) => [
    name,
    endpoint.path.includes(`:${name}`) ? asText(it) : (it as unknown),
  ])
  const { url, rest } = address(endpoint, Object.fromEntries(inPath) as object)
  const isForm = endpoint.body === 'multipart'
  const sent = isForm ? { ...asTexts(rest), file: new File(['x'], asText(rest['version'])) } : rest
  const headers = isForm ? {} : { 'content-type': 'application/json' }
  return [url, { method, headers, body: encodeBody(endpoint, sent) ?? null }]
}

test(
  `no request out of ${REQUESTS} causes an internal error`,
  { timeout: 1_200_000 },
  async ({ server }) => {
    let things = await someThings(server, 0)
    let number = 0
    const succeeded = new Set<string>()

    await fc.assert(
      fc.asyncProperty(
        requests,
        fc.constantFrom('key', 'session', 'nobody', 'host'),
        async ([call, input], who) => {
          const known = Object.entries(input).map(([name, it]) => [
            name,
            typeof it === 'function' ? (it as Known)(things) : it,
          ])
          const response = await things.fetches[who](
            ...requestOf(calls.get(call)!, Object.fromEntries(known) as object),
          )
          await (calls.get(call)?.events ? response.body?.cancel() : response.arrayBuffer())
          expect(response.status).toBeLessThan(500)
          if (!response.ok) return
          succeeded.add(call)
          if (/remove|revoke|unlink|restore|logout|Password|people.update/.test(call))
            things = await someThings(server, ++number)
        },
      ),
      { numRuns: REQUESTS },
    )
    expect(succeeded.size, 'calls that got through to the end').toBeGreaterThan(30)
  },
)
