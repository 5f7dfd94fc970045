import { describe, expect } from 'vitest'
import type { z } from 'zod'
import { address, encodeBody } from '../../../renderer/lib/client/api-client'
import { api, travelsInBody, type Endpoint } from '../../../server/contract'
import { aFile, aLink, aPost, aProject, aUser } from '../../support/world/factories'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { wrong, type Field } from './wrong-values'
import type { UserRecord } from '../../../server/data/records/account-records'

/** Any name in an address is looked up; an unknown one is not found. */
const anyText = ['files.downloadPublic username', 'files.downloadExact username']
/** Links to downloads may carry any text in these. */
const ignored = ['from']
/** The id of a build may be a filename, and a person's email is looked up unchanged: any text of a fair length. */
const refuses = (call: string, field: string, value: unknown) =>
  // Removes the password of a link.
  (`${call} ${field}` !== 'testers.update password' || value !== null) &&
  (!['builds.download id', 'collaborators.add email'].includes(`${call} ${field}`) ||
    !/^[ -~]{1,254}$/.test(String(value)))
const isInPath = ({ path }: Endpoint, field: string) => path.includes(`:${field}`) || path.includes(`*${field}`)
const isOtherPath = (endpoint: Endpoint, field: string, value: unknown) => value === '' && isInPath(endpoint, field)
/** A form and an address carry text only. */
const textOnly = (endpoint: Endpoint, field: string) =>
  endpoint.body === 'multipart' || !travelsInBody(endpoint) || isInPath(endpoint, field)

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
  const project = await aProject(server, alice, { is_public: true })
  const { url } = await server.as(alice).testers.create({ id: project.project_id, name: 'Beta' })
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
    format: 'keys',
    path: 'slipway.asc',
    approve: true,
    nonce: 'n'.repeat(16),
    way: 'router',
    endpoint: 'http://127.0.0.1:9',
    bucket: 'builds',
    copies: 'keep',
    filename: 'x.txt',
    sha256: '0'.repeat(64),
    ids: file.file_id,
    offer_id: 'z'.repeat(32),
    folder: 'x'.repeat(43),
    watchId: post.post_id,
    ticket: `1~${'x'.repeat(43)}`,
    testerId: post.post_id,
    token: new URL(url).pathname.split('/').at(-1),
    channel: 'stable',
    file_ids: [file.file_id],
    trash_ids: [file.file_id],
    kind: 'icon',
    alt: 'The start',
    screenshots: [],
    keep: 10,
    pictureId: 'a'.repeat(32),
    picture: `${'a'.repeat(32)}-720.webp`,
  }
  const { browser } = await server.atWindow(alice)
  return { alice, good: { ...things, ...texts, ...rest, file_id: file.file_id, is_public: true }, fetch: browser.fetch }
}

/** Phrases of zod that only authors of schemas understand. */
const zodsOwn = /^(Invalid|Too|Unrecognized)\b|^$|expected|received/

/** The field by its name, or what is wrong inside of it; and words for people. */
const refusal = (field: string) => ({
  status: 400,
  success: false,
  code: 'invalid_input',
  field: expect.stringMatching(new RegExp(`^${field}(\\.\\w+)*$`)),
  error: expect.not.stringMatching(zodsOwn),
})

async function ask({ fetch }: Setting, endpoint: Endpoint, input: object): Promise<Record<string, unknown>> {
  const { url, rest } = address(endpoint, input)
  const sent =
    endpoint.body === 'multipart' || endpoint.body === 'bytes' ? { ...rest, file: new File(['x'], 'x.txt') } : rest
  const body = encodeBody(endpoint, sent)
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

/** The fields of a call that refuse some values. */
const fieldsOf = (call: string, endpoint: Endpoint) =>
  Object.keys(endpoint.input.shape).filter((name) => !anyText.includes(`${call} ${name}`) && !ignored.includes(name))

const features = Object.entries(Object.groupBy(calls, ([call]) => call.split('.')[0] ?? ''))

describe.each(features)('every call of %s', (_feature, ofFeature = []) => {
  // No call changes anything, so that one host answers all of them.
  test('answers 400 to each field that is wrong, and names it', async ({ server }) => {
    const setting = await aSetting(server)
    for (const [call, endpoint] of ofFeature) {
      const base = inputOf(call, endpoint, setting.good)
      for (const field of fieldsOf(call, endpoint)) {
        const values = wrong[field as Field].filter(
          (value) =>
            refuses(call, field, value) &&
            (!textOnly(endpoint, field) || typeof value === 'string') &&
            !isOtherPath(endpoint, field, value),
        )
        expect(values.length, `no wrong value for ${field}`).toBeGreaterThan(0)
        const rest = field === 'email' && call === 'collaborators.add' ? { username: undefined } : {}
        for (const value of values) {
          const reply = await ask(setting, endpoint, { ...base, ...rest, [field]: value })
          expect.soft([call, value, reply]).toEqual([call, value, refusal(field)])
        }
      }
    }
  })

  test('answers 400 where a field that it needs is absent, and names it', async ({ server }) => {
    const setting = await aSetting(server)
    for (const [call, endpoint] of ofFeature) {
      const base = inputOf(call, endpoint, setting.good)
      for (const field of fieldsOf(call, endpoint).filter((name) => name in base && !isInPath(endpoint, name))) {
        const reply = await ask(setting, endpoint, { ...base, [field]: undefined })
        expect.soft([call, reply]).toEqual([call, refusal(field)])
      }
    }
  })
})
