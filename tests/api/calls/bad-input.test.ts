import { describe, expect } from 'vitest'
import type { z } from 'zod'
import { address, bodyOf } from '../../../renderer/lib/client/api-client'
import { api, travelsInBody, type Api, type Endpoint } from '../../../server/contract'
import type { UserRecord } from '../../../server/features/accounts/user-store'
import { aFile, aLink, aPost, aProject, aUser } from '../../support/factories'
import { test, type TestServer } from '../../support/test-server'

/** Every name of an input in the whole contract: a new one needs a row below. */
type Field = {
  [F in keyof Api]: {
    [A in keyof Api[F]]: Api[F][A] extends { input: { shape: infer S } } ? Extract<keyof S, string> : never
  }[keyof Api[F]]
}[keyof Api]

/** The invalid values of a field. An address carries only text; a body, any JSON. */
const wrong: Record<Field, unknown[]> = {
  id: ['no id!', 'x'.repeat(256), '%00'],
  slug: ['no slug!', 'x'.repeat(81), 'é'],
  postId: ['no id!', 'short', 'x'.repeat(65)],
  downloadId: ['no id!', 'short'],
  collaboratorId: ['x'.repeat(65), ' ', '\u0007'],
  file_id: ['short', 7, null, {}],
  offer_id: ['no id!', 'short', '/etc/passwd', 7, null],
  project_id: ['no project!', 'x'.repeat(81)],
  filename: ['x'.repeat(1025)],
  username: ['', '   ', 'x'.repeat(255), 7, null, {}, []],
  email: ['no address', 'x'.repeat(255), 7, {}],
  password: ['', 'x'.repeat(257), 123_456, null, ['secret']],
  link: ['', 'x'.repeat(101), 7, null],
  setup: ['x'.repeat(101), 7, {}],
  current_password: ['', 'x'.repeat(257), 7],
  new_password: ['12345', 'x'.repeat(257), 7],
  name: ['', '  ', 'x'.repeat(101), 7, {}],
  expires_days: [0, -1, 1.5, 36_501, '7', true, {}],
  scopes: [[], ['everything'], 'read', {}],
  is_public: ['perhaps', 7, {}, []],
  manage: ['perhaps', 7, {}, []],
  strict: ['perhaps', 7, {}, []],
  version: ['x'.repeat(65), 7, {}],
  platform: ['x'.repeat(33), 7],
  visibility: ['secret', 'PUBLIC', ''],
  search: ['x'.repeat(201)],
  limit: ['0', '-1', '1.5', 'many', '100000'],
  offset: ['-1', '0.5', 'far'],
  days: ['0', '366', 'all'],
  title: ['', ' \n ', 'x'.repeat(121), 7, null, {}],
  short_description: ['x'.repeat(101), 7, {}],
  description: ['x'.repeat(20_001), 7],
  project_url: ['example.com', 'javascript:alert(1)', 'ftp://a.example', `https://a.example/${'x'.repeat(500)}`, 7],
  content: ['', ' \n\t', 'x'.repeat(5001), 7, null, {}],
  tier_name: ['Gold', 7, null],
  disabled: ['yes', 1, null],
  open: ['yes', 1, null],
  nonce: ['', 'too short', 'x'.repeat(65), '!'.repeat(16)],
  sha256: ['no digest', 'a'.repeat(63), 'g'.repeat(64)],
  ids: ['', 'short', 'a'.repeat(16) + ',', `${'a'.repeat(16)},`.repeat(500) + 'a'.repeat(16)],
  file_ids: [[], ['short'], 'a'.repeat(16), 7, null, {}],
  trash_ids: [[], ['short'], 'a'.repeat(16), 7, null, {}],
  retest: ['perhaps', '2'],
  host_name: ['x'.repeat(41), 7, {}],
  port: [0, 1023, 65_536, 80.5, '4780', true],
  sharing: ['yes', 1],
  shared_addresses: ['192.0.2.1', ['localhost'], [7], Array.from({ length: 51 }, () => '127.0.0.1')],
  public_url: ['', 'builds.example', 'ftp://builds.example', 'https://builds.example/x', 'https://a@b.example', 7],
  registration_open: ['yes', 1],
  default_tier: ['Gold', 7],
  uploads_per_hour: [0, -1, 1.5, '100', 1_000_001],
  requests_per_hour: [0, -1, 1.5, '100', 1_000_001],
  bytes_per_second_per_transfer: [0, 1023, 2048.5, '2048', 1e13],
  bytes_per_second_per_visitor: [0, -1, true],
  bytes_per_second_in_all: [0, 1, '1 MB'],
  transfers_per_address: [0, 1.5, null, '3', 100_001],
  connections_per_address: [7, 8.5, null, '30', 100_001],
  projects_per_account: [0, 1.5, null, '3', 1_000_001],
  posts_per_account: [0, 1.5, null, '3', 1_000_001],
  api_keys_per_account: [0, 1.5, null, '3', 1_000_001],
  sessions_per_account: [0, 1.5, null, '3', 1_000_001],
  unfinished_uploads_per_account: [0, 1.5, null, '3', 1_000_001],
  trusted_proxies: [['proxy.example'], ['10.0.0.0/33'], '10.0.0.2', Array.from({ length: 21 }, () => '10.0.0.2')],
  https: ['on', true, null],
  https_certificate: ['x'.repeat(1001), 7],
  https_key: ['x'.repeat(1001), 7],
  https_redirect: ['yes', 1],
  notify_downloads: ['yes', 1],
  notify_collaborators: ['yes', 1],
  notify_builds: ['yes', 1],
  notify_failures: ['yes', 1],
  start_at_login: ['yes', 1],
  start_hidden: ['yes', 1],
  theme: ['blue', 1, null],
  update_feed: ['', 'builds.example', 'http://builds.example/feed', 'ftp://builds.example', 7, {}],
  pattern: ['', '  ', 'builds/*.apk', 'C:\\*', 'x'.repeat(201), 7],
  version_from: ['manifest', '', 7],
  include_below: ['perhaps', 7, null],
  include_existing: ['perhaps', 7, null],
  folder: ['/etc', '', 'x'.repeat(44), 7, null],
  paused: ['yes', 1, null],
  daily: ['yes', 1, {}],
  accept: ['yes', 1, {}],
  watchId: ['no id!', 'short', 'x'.repeat(65)],
  kind: ['everything', ''],
  before: ['yesterday', '2030-01-01', '../2030-01-01.0'],
  user_id: ['no id!', 'short', 'x'.repeat(65)],
  invite: ['x'.repeat(201), 7, null],
  channel: ['Beta', 'a--b', 'x'.repeat(33), '', 7, null],
  state: ['archived', '', 7, null],
  notes: ['x'.repeat(10_001), 7, null],
  since: ['x'.repeat(65)],
  arch: ['x'.repeat(33)],
  ticket: ['no ticket!', `1~${'x'.repeat(42)}`, `!~${'x'.repeat(43)}`],
  code: ['', 'x'.repeat(21), 7, null],
  secret: ['x'.repeat(101), 7, null],
  feed: ['x'.repeat(81)],
  approve: ['yes', 1, null],
  expires_at: ['tomorrow', '2030-01-01', 7, null],
  testerId: ['no id!', 'short', 'x'.repeat(65)],
  token: ['x'.repeat(201)],
}

/** Any name in an address is looked up; an unknown one is not found. */
const anyText = ['files.downloadPublic username', 'files.downloadExact username']
/** The id of a build may be a filename, and a person's email is looked up unchanged: any text of a fair length. */
const refuses = (call: string, field: string, value: unknown) =>
  // Removes the password of a link.
  (`${call} ${field}` !== 'testers.update password' || value !== null) &&
  (!['builds.download id', 'collaborators.add email'].includes(`${call} ${field}`) ||
    !/^[ -~]{1,254}$/.test(String(value)))
/** A form and an address carry text only. */
const textOnly = (endpoint: Endpoint, field: string) =>
  endpoint.body === 'multipart' || !travelsInBody(endpoint) || endpoint.path.includes(`:${field}`)

const calls = Object.entries(api).flatMap(([feature, actions]) =>
  Object.entries(actions).map(([action, endpoint]) => [`${feature}.${action}`, endpoint as Endpoint] as const),
)

interface Setting {
  alice: UserRecord
  good: Partial<Record<Field, unknown>>
  fetch: (path: string, init: RequestInit) => Promise<Response>
}

/** Things that are there, so that only the field in question is wrong; and the host account, which may ask anything. */
async function aSetting(server: TestServer): Promise<Setting> {
  const alice = await aUser(server, 'alice', { isHost: true })
  const project = await aProject(server, alice)
  const file = await aFile(server, alice)
  await aLink(server, alice, project, file)
  const post = await aPost(server, alice, project)
  const things = { id: project.project_id, slug: project.slug, postId: post.post_id, downloadId: file.file_id }
  const texts = { username: 'somebody', email: 'somebody@example.com', password: 'secret', current_password: 'secret' }
  const rest = {
    new_password: 'new secret',
    name: 'CI',
    title: 'Rocket',
    content: 'News',
    open: true,
    version: '1.0.0',
    code: 'BCDF-GHJK',
    secret: 's'.repeat(22),
    feed: 'latest.yml',
    approve: true,
    nonce: 'n'.repeat(16),
    filename: 'x.txt',
    sha256: '0'.repeat(64),
    ids: file.file_id,
    offer_id: 'z'.repeat(32),
    folder: 'x'.repeat(43),
    watchId: post.post_id,
    ticket: `1~${'x'.repeat(43)}`,
    testerId: post.post_id,
    token: 't'.repeat(22),
    file_ids: [file.file_id],
    trash_ids: [file.file_id],
  }
  const { browser } = await server.atWindow(alice)
  return { alice, good: { ...things, ...texts, ...rest, file_id: file.file_id, is_public: true }, fetch: browser.fetch }
}

/** Phrases of zod that only authors of schemas understand. */
const zodsOwn = /^(Invalid|Too|Unrecognized)\b|^$|expected|received/

/** The field by its name, or the entry of a list by its number in it; and words for people. */
const refusal = (field: string) => ({
  status: 400,
  success: false,
  code: 'invalid_input',
  field: expect.stringMatching(new RegExp(`^${field}(\\.\\d+)?$`)),
  error: expect.not.stringMatching(zodsOwn),
})

async function ask({ fetch }: Setting, endpoint: Endpoint, input: object): Promise<Record<string, unknown>> {
  const { url, rest } = address(endpoint, input)
  const sent =
    endpoint.body === 'multipart' || endpoint.body === 'bytes' ? { ...rest, file: new File(['x'], 'x.txt') } : rest
  const body = bodyOf(endpoint, sent)
  const headers: Record<string, string> = typeof body === 'string' ? { 'content-type': 'application/json' } : {}
  const response = await fetch(url, { method: endpoint.method, headers, ...(body === undefined ? {} : { body }) })
  return { status: response.status, ...((await response.json()) as object) }
}

/** The other fields: as few as the call needs. */
function inputOf(call: string, endpoint: Endpoint, good: Setting['good']): Record<string, unknown> {
  const needed = Object.entries(endpoint.input.shape as Record<string, z.ZodType>).filter(
    ([name, schema]) => !schema.safeParse(undefined).success && name in good,
  )
  const input = Object.fromEntries(needed.map(([name]) => [name, good[name as Field]]))
  return call === 'collaborators.add' ? { ...input, username: 'somebody' } : input
}

describe.each(calls.filter(([, { input }]) => Object.keys(input.shape).length > 0))('%s', (call, endpoint) => {
  const fields = Object.keys(endpoint.input.shape).filter((name) => !anyText.includes(`${call} ${name}`))

  test('answers 400 to each field that is wrong, and names it', async ({ server }) => {
    const setting = await aSetting(server)
    const base = inputOf(call, endpoint, setting.good)
    for (const field of fields) {
      const values = wrong[field as Field].filter(
        (value) => refuses(call, field, value) && (!textOnly(endpoint, field) || typeof value === 'string'),
      )
      expect(values.length, `no wrong value for ${field}`).toBeGreaterThan(0)
      for (const value of values) {
        const input = { ...base, ...(field === 'email' && call === 'collaborators.add' ? { username: undefined } : {}) }
        const reply = await ask(setting, endpoint, { ...input, [field]: value })
        expect([value, reply]).toEqual([value, refusal(field)])
      }
    }
  })

  test('answers 400 where a field that it needs is absent, and names it', async ({ server }) => {
    const setting = await aSetting(server)
    const base = inputOf(call, endpoint, setting.good)
    for (const field of fields.filter((name) => name in base && !endpoint.path.includes(`:${name}`))) {
      const reply = await ask(setting, endpoint, { ...base, [field]: undefined })
      expect(reply).toEqual(refusal(field))
    }
  })
})
