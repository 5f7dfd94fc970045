import { describe, expect } from 'vitest'
import { refusal } from '../../support/network/reply'
import { aProject, aUser } from '../../support/world/factories'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { MINUTE } from '../../support/world/test-clock'

const denied = refusal('not_found')

/** A terminal that waits, and alice with a project. */
async function aTerminal(server: TestServer, project_id?: string) {
  const alice = await aUser(server, 'alice')
  const { slug, project_id: id } = await aProject(server, alice)
  const terminal = server.visitor()
  const { code, pairing_id, secret } = await terminal.pairings.start({
    name: 'build-server-2',
    project_id,
  })
  const { client } = await server.signedIn(alice)
  const collect = () => terminal.pairings.collect({ id: pairing_id, secret })
  const keys = async () =>
    (await client.apiKeys.list({})).keys.filter(({ name }) => name === 'build-server-2')
  return { client, code, pairing_id, terminal, collect, keys, project: { id, slug } }
}

describe('pairings.start, pairings.look, pairings.answer and pairings.collect', () => {
  test('a terminal gets a key that reads and uploads in one project, once', async ({ server }) => {
    const { client, code, collect, keys, project } = await aTerminal(server, 'rocket')
    expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    expect(await collect()).toEqual({ status: 'waiting', api_key: null, project: null })

    const asked = await client.pairings.look({ code: code.toLowerCase().replace('-', ' ') })
    expect(asked).toMatchObject({
      name: 'build-server-2',
      address: '127.0.0.1',
      project_id: project.id,
    })
    await client.pairings.answer({ code, approve: true, project_id: project.slug })

    const got = await collect()
    expect(got).toMatchObject({
      status: 'approved',
      project: { project_id: project.id, slug: project.slug },
    })
    expect(await keys()).toMatchObject([{ scopes: ['read', 'upload'], project_id: project.id }])
    const uploaded = await server.fetch('/api/files/upload/a.txt?project_id=rocket', {
      method: 'PUT',
      headers: { 'x-api-key': got.api_key ?? '' },
      body: 'a',
    })
    expect(uploaded.status).toBe(201)
    await expect(collect()).rejects.toMatchObject(denied)
    await expect(client.pairings.look({ code })).rejects.toMatchObject(denied)
  })

  test('a terminal gets a key that changes releases if the person says so', async ({ server }) => {
    const { client, code, collect, keys, project } = await aTerminal(server)

    await client.pairings.answer({ code, approve: true, project_id: project.id, manage: true })

    await collect()
    expect(await keys()).toMatchObject([
      { scopes: ['read', 'upload', 'manage'], project_id: project.id },
    ])
  })

  test('a denied terminal gets no key', async ({ server }) => {
    const { client, code, collect, keys } = await aTerminal(server)

    await client.pairings.answer({ code, approve: false })

    expect(await collect()).toMatchObject({ status: 'denied', api_key: null })
    expect(await keys()).toEqual([])
  })

  test('a code is valid for five minutes', async ({ server }) => {
    const { client, code, collect } = await aTerminal(server)

    server.clock.advance(5 * MINUTE)

    await expect(client.pairings.look({ code })).rejects.toMatchObject(denied)
    await expect(collect()).rejects.toMatchObject(denied)
  })

  test('five wrong secrets end the pairing', async ({ server }) => {
    const { client, code, collect, terminal, pairing_id } = await aTerminal(server)

    for (let attempt = 0; attempt < 5; attempt++)
      await expect(
        terminal.pairings.collect({ id: pairing_id, secret: 'a guess' }),
      ).rejects.toMatchObject(denied)

    await expect(collect()).rejects.toMatchObject(denied)
    await expect(client.pairings.look({ code })).rejects.toMatchObject(denied)
  })

  test('two answers at once make one key', async ({ server }) => {
    const { client, code, keys, project } = await aTerminal(server)
    const approve = () => client.pairings.answer({ code, approve: true, project_id: project.id })

    const ended = await Promise.allSettled([approve(), approve()])

    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await keys()).toHaveLength(1)
  })

  test('a person cannot approve for a project of others, or without one', async ({ server }) => {
    const { code, collect, project } = await aTerminal(server, 'rocket')
    const { client: bob } = await server.signedIn(await aUser(server, 'bob'))

    expect(await bob.pairings.look({ code })).toMatchObject({ project_id: null })
    await expect(
      bob.pairings.answer({ code, approve: true, project_id: project.id }),
    ).rejects.toMatchObject(denied)
    await expect(bob.pairings.answer({ code, approve: true })).rejects.toMatchObject({
      field: 'project_id',
    })
    expect(await collect()).toMatchObject({ status: 'waiting' })
  })
})
