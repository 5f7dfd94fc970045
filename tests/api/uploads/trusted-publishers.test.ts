import type { JWTPayload } from 'jose'
import { describe, expect } from 'vitest'
import { json, problem, refusal, replyOf } from '../../support/network/reply'
import { anIssuer } from '../../support/network/issuer'
import { aProject } from '../../support/world/factories'
import { test as base } from '../../support/world/http'
import { MINUTE } from '../../support/world/test-clock'
import type { TestServer } from '../../support/world/test-server'
import { upload } from '../../support/world/upload'
import type { UserRecord } from '../../../server/data/records/account-records'

const EXCHANGE = '/api/auth/publisher-key'
const HOST = 'https://builds.example'
const JOB = {
  aud: HOST,
  repository: 'Lea/Lantern',
  repository_id: '42',
  ref: 'refs/heads/main',
  event_name: 'push',
}
const GITLAB_JOB = {
  aud: HOST,
  project_path: 'lea/lantern',
  project_id: 42,
  ref: 'v1.4',
  ref_type: 'tag',
  environment: 'release',
}

/** Alice's private project, and a host with a public address that may ask issuers of this computer. */
const test = base
  .extend({ settings: { public_url: HOST, webhook_networks: ['127.0.0.0/8'] } })
  .extend<{ at: Awaited<ReturnType<typeof aPlace>> }>({
    at: async ({ server, alice }, use) => use(await aPlace(server, alice)),
  })

async function aPlace(server: TestServer, alice: UserRecord) {
  const { project_id: id } = await aProject(server, alice)
  const issuer = await anIssuer()
  const client = (await server.signedIn(alice)).client
  const github = { id, provider: 'github', issuer: issuer.url, repository: 'lea/lantern' } as const
  const exchange = (token: string, project = id) =>
    server.visitor().trustedPublishers.exchange({ project, token })
  const job = (claims: JWTPayload = {}) => issuer.sign({ ...JOB, ...claims }, server.clock.now())
  return { id, issuer, client, github, exchange, job }
}

/** Uploads to a project with a key. */
const uploadWith = (server: TestServer, key: string, project_id?: string, name = 'rocket.apk') =>
  upload(
    (path, init) => server.fetch(path, { ...init, headers: { 'x-api-key': key } }),
    new File([name], name),
    project_id === undefined ? {} : { project_id },
  )

describe('trustedPublishers.exchange', () => {
  test('gives a job a key of 15 minutes that may only upload to the project', async ({
    server,
    alice,
    at: { id, client, github, exchange, job },
  }) => {
    const { publisher } = await client.trustedPublishers.add({ ...github, branch: 'main' })
    const { api_key, project_id, expires_at } = await exchange(await job())
    expect(project_id).toBe(id)
    expect(Date.parse(expires_at)).toBe(server.clock.now().getTime() + 15 * MINUTE)

    const { file_id } = await uploadWith(server, api_key, id)
    const { file } = await client.files.info({ id: file_id })
    expect(file).toMatchObject({ owner: 'alice', projects: [{ project_id: id }] })
    const other = await aProject(server, alice, { title: 'Other' })
    await expect(uploadWith(server, api_key, other.project_id)).rejects.toMatchObject(
      refusal('not_found'),
    )
    const headers = { 'x-api-key': api_key }
    expect(await replyOf(server.fetch('/api/files/my-files', { headers }))).toEqual(
      problem('forbidden'),
    )

    const { publishers, audience } = await client.trustedPublishers.list({ id })
    expect(audience).toBe(HOST)
    expect(publishers).toEqual([{ ...publisher, last_used: expect.any(String) as string }])

    server.clock.advance(15 * MINUTE)
    expect(await replyOf(server.fetch(`/api/projects/${id}`, { headers }))).toEqual(
      problem('bad_api_key'),
    )
  })

  test('gives keys of GitLab, of one tag and environment', async ({
    server,
    at: { id, issuer, client, exchange },
  }) => {
    const gitlab = {
      id,
      provider: 'gitlab',
      issuer: issuer.url,
      repository: 'lea/lantern',
    } as const
    await client.trustedPublishers.add({ ...gitlab, tag: 'v*', environment: 'release' })
    const token = (claims: object) => issuer.sign({ ...GITLAB_JOB, ...claims }, server.clock.now())

    expect(await exchange(await token({}))).toMatchObject({ project_id: id })
    for (const claims of [
      { ref: 'main', ref_type: 'branch' },
      { ref_type: 'branch' },
      { ref: '1.4' },
      { environment: 'staging' },
      { environment: undefined },
    ])
      await expect(exchange(await token(claims))).rejects.toMatchObject(refusal('forbidden'))
  })

  test('trusts a job that runs after another one by its environment only', async ({
    at: { client, github, exchange, job },
  }) => {
    const after = await job({ event_name: 'workflow_run', environment: 'release' })
    await client.trustedPublishers.add({ ...github, branch: 'main' })
    await expect(exchange(after)).rejects.toThrow('workflow_run, which needs an environment')

    await client.trustedPublishers.add({ ...github, environment: 'release' })
    expect(await exchange(after)).toMatchObject({ api_key: expect.any(String) as string })
  })

  test('refuses every other token with words that tell nothing of the project', async ({
    server,
    alice,
    at: { issuer, client, github, exchange, job },
  }) => {
    await client.trustedPublishers.add({ ...github, branch: 'main' })
    const stranger = await anIssuer()
    const now = server.clock.now()
    const unsigned = (await job()).replace(/[^.]+$/, 'AAAA')
    const none = [{ alg: 'none' }, { iss: issuer.url, ...JOB, exp: now.getTime() / 1000 + 60 }]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')

    const { title } = await aProject(server, alice, { title: 'Bare' })
    const same = new Set<string>()
    for (const [token, project] of [
      [unsigned],
      [`${none}.AAAA`],
      [await issuer.sign(JOB, now, (await anIssuer()).state.keys[0])],
      [await stranger.sign(JOB, now)],
      [await stranger.sign({ ...JOB, iss: issuer.url }, now)],
      [await job(), 'no-such-project'],
      [await job(), title.toLowerCase()],
    ] as const)
      await exchange(token, project).catch((error: unknown) => same.add((error as Error).message))
    expect([...same]).toEqual([expect.stringContaining('Lea/Lantern, branch main')])

    for (const claims of [
      { repository: 'eve/lantern' },
      { ref: 'refs/heads/mine' },
      { ref: 'refs/tags/main' },
      { ref: 'refs/pull/1/merge' },
      { event_name: 'pull_request_target' },
      { event_name: 'workflow_run' },
      { repository_id: undefined },
      { aud: 'https://evil.example' },
      { aud: [] },
      { exp: Math.floor(now.getTime() / 1000) - 120 },
    ])
      await expect(exchange(await job(claims))).rejects.toMatchObject(refusal('forbidden'))
  })

  test('refuses claims that are no text, before the signature is verified', async ({
    at: { exchange },
  }) => {
    for (const claims of [{ aud: [{ toString: 1 }] }, { aud: HOST, exp: '1' }, { iss: 5 }]) {
      const [header, payload] = [{ alg: 'RS256' }, claims].map((part) =>
        Buffer.from(JSON.stringify(part)).toString('base64url'),
      )
      await expect(exchange(`${header}.${payload}.c2ln`)).rejects.toMatchObject(
        refusal('invalid_input', 'token'),
      )
    }
  })

  test('takes a token for 15 minutes only, and no second repository of the name', async ({
    server,
    at: { client, github, exchange, job },
  }) => {
    await client.trustedPublishers.add({ ...github, branch: 'main' })
    const token = await job({ exp: Math.floor(server.clock.now().getTime() / 1000) + 3600 })
    const first = await exchange(token)
    server.clock.advance(10 * MINUTE)
    expect((await exchange(token)).expires_at).toBe(first.expires_at)
    server.clock.advance(5 * MINUTE)
    await expect(exchange(token)).rejects.toMatchObject(refusal('forbidden'))

    await expect(exchange(await job({ repository_id: '43' }))).rejects.toMatchObject({
      message: expect.stringContaining('not the repository that published before') as string,
    })
  })

  test('reads new keys of an issuer, and asks again later when it is down', async ({
    server,
    at: { issuer, client, github, exchange, job },
  }) => {
    await client.trustedPublishers.add({ ...github, branch: 'main' })
    issuer.state.isDown = true
    await expect(exchange(await job())).rejects.toMatchObject(refusal('busy'))

    issuer.state.isDown = false
    await exchange(await job())
    const asked = issuer.got.length
    await exchange(await job())
    expect(issuer.got).toHaveLength(asked)

    const [old] = issuer.state.keys
    await issuer.rotate()
    server.clock.advance(2 * MINUTE)
    await exchange(await job())
    const forged = await issuer.sign(JOB, server.clock.now(), old)
    await expect(exchange(forged)).rejects.toMatchObject(refusal('forbidden'))
  })

  test('asks no issuer on a network that the host may not call', async ({
    server,
    at: { issuer, client, github, exchange, job },
  }) => {
    await client.trustedPublishers.add({ ...github, branch: 'main' })
    await server.inside.settings.update({ webhook_networks: [] })
    await expect(exchange(await job())).rejects.toMatchObject(refusal('busy'))
    expect(issuer.got).toEqual([])
  })
})

describe('trustedPublishers.add, trustedPublishers.list and trustedPublishers.remove', () => {
  test('let the owner alone say whom to trust', async ({
    server,
    bob,
    at: { id, client, github },
  }) => {
    const add = (fields: object) => client.trustedPublishers.add({ ...github, ...fields })
    await expect(add({})).rejects.toMatchObject(refusal('invalid_input', 'branch'))
    await expect(add({ branch: 'main', tag: 'v1' })).rejects.toMatchObject(
      refusal('invalid_input', 'tag'),
    )
    const plain = { branch: 'main', issuer: 'http://git.example' }
    await expect(add(plain)).rejects.toMatchObject(refusal('invalid_input', 'issuer'))
    await add({ branch: 'main' })
    await expect(add({ branch: 'main' })).rejects.toMatchObject(refusal('taken', 'repository'))

    await client.collaborators.add({ id, username: 'bob', role: 'maintainer' })
    const theirs = (await server.signedIn(bob)).client.trustedPublishers
    await expect(theirs.add({ ...github, tag: 'v1' })).rejects.toMatchObject(refusal('forbidden'))
    await expect(theirs.list({ id })).rejects.toMatchObject(refusal('forbidden'))
  })

  test('end the keys of a repository that is trusted no longer', async ({
    server,
    at: { id, client, github, exchange, job },
  }) => {
    const { publisher } = await client.trustedPublishers.add({ ...github, branch: 'main' })
    const { api_key } = await exchange(await job())
    const { publisher_id: publisherId } = publisher
    await client.trustedPublishers.remove({ id, publisherId })

    await expect(uploadWith(server, api_key, id)).rejects.toMatchObject(refusal('bad_api_key'))
    await expect(exchange(await job())).rejects.toMatchObject(refusal('forbidden'))
    await expect(client.trustedPublishers.remove({ id, publisherId })).rejects.toMatchObject(
      refusal('not_found'),
    )
  })
})

describe('a key of a job', () => {
  test('is hidden in the log, and a made-up one opens nothing', async ({
    server,
    at: { id, client, github, exchange, job },
  }) => {
    await client.trustedPublishers.add({ ...github, branch: 'main' })
    const token = await job()
    const { api_key } = await exchange(token)
    expect(
      await replyOf(server.fetch(EXCHANGE, json('POST', { project: id, token: 'x' }))),
    ).toEqual(problem('invalid_input', 'token'))

    const changed = `${api_key.slice(0, -4)}AAAA`
    const headers = { 'x-api-key': changed }
    expect(await replyOf(server.fetch('/api/host', { headers }))).toEqual(problem('bad_api_key'))
  })
})
