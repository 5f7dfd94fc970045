import { describe, expect } from 'vitest'
import { address, bodyOf } from '../../renderer/lib/api-client'
import { api, travelsInBody, type Api, type Endpoint } from '../../server/contract'
import { aFile, aLink, aPost, aProject, aUser } from '../support/factories'
import { PASSWORD } from '../support/password'
import { test, type TestServer } from '../support/test-server'
import { DAY } from '../support/test-world'

type Call = { [F in keyof Api]: `${F}.${Extract<keyof Api[F], string>}` }[keyof Api]
type World = Awaited<ReturnType<typeof aWorld>>

/** Alice's private file on her private project, with carol as collaborator, a post, a key and something in the trash. */
async function aWorld(server: TestServer, number: number) {
  const name = (who: string) => `${who}${number}`
  const [alice, bob, carol] = [
    await aUser(server, name('alice')),
    await aUser(server, name('bob')),
    await aUser(server, name('carol')),
  ]
  const project = await aProject(server, alice)
  const file = await aFile(server, alice, { filename: 'rocket.apk' })
  const other = await aFile(server, alice, { filename: 'other.apk' })
  const gone = await aFile(server, alice, { filename: 'gone.apk' })
  await server.as(alice).files.remove({ id: gone.file_id })
  await aLink(server, alice, project, file)
  const post = await aPost(server, alice, project)
  await server.as(alice).collaborators.add({ id: project.slug, username: carol.username })
  const { record: key } = await server.context.apiKeys.create(alice.id, 'hers', null)
  return { alice, bob, carol, project, file, other, gone, post, key }
}

const ofProject = ({ project }: World) => ({ id: project.project_id })
const ofFile = ({ file }: World) => ({ id: file.file_id })
const ofLink = (world: World) => ({ ...ofProject(world), downloadId: world.file.file_id })
const ofPost = (world: World) => ({ ...ofProject(world), postId: world.post.post_id })
const ofKey = ({ key }: World) => ({ id: key.id })
const nothing = () => ({})
const aNewAccount = (of: string) => ({
  username: of.replaceAll(' ', '-'),
  email: `${of.replaceAll(' ', '-')}@example.com`,
})

/** Who asks, and the status each is answered: the columns of the table below. */
const actors = ['visitor', 'other user', 'collaborator', 'owner', 'key of the owner', 'host at the window'] as const
const everybody = [200, 200, 200, 200, 200, 200]
const users = [401, 200, 200, 200, 200, 200]
const people = [401, 200, 200, 200, 401, 200]
const readers = [404, 404, 200, 200, 200, 404]
const owner = [401, 404, 403, 200, 200, 404]
const hostOnly = [404, 404, 404, 404, 404, 200]

/** Every call of the contract: what is asked, and the status for each actor. */
const table: Record<Call, [(world: World, actor: string) => object, number[]]> = {
  'accounts.register': [
    (_world, actor) => ({ ...aNewAccount(actor), password: 'secret' }),
    [201, 201, 201, 201, 201, 201],
  ],
  'accounts.login': [({ alice }) => ({ username: alice.username, password: PASSWORD }), everybody],
  'accounts.logout': [nothing, everybody],
  'accounts.me': [nothing, people],
  'accounts.changePassword': [() => ({ current_password: PASSWORD, new_password: 'new secret' }), people],
  'accounts.check': [nothing, everybody],
  'apiKeys.list': [nothing, people],
  'apiKeys.create': [() => ({ name: 'CI' }), [401, 201, 201, 201, 401, 201]],
  'apiKeys.revoke': [ofKey, [401, 404, 404, 200, 401, 404]],
  'apiKeys.remove': [ofKey, [401, 404, 404, 200, 401, 404]],
  'files.upload': [({ project }) => ({ project_id: project.slug }), [401, 404, 403, 201, 201, 404]],
  'files.mine': [nothing, users],
  'files.listPublic': [nothing, everybody],
  'files.info': [ofFile, readers],
  'files.download': [ofFile, readers],
  'files.downloadPublic': [
    ({ alice, file }) => ({ username: alice.username, file_id: file.file_id }),
    [404, 404, 404, 404, 404, 404],
  ],
  'files.setVisibility': [(world) => ({ ...ofFile(world), is_public: true }), owner],
  'files.remove': [ofFile, owner],
  'storage.stats': [nothing, users],
  'builds.list': [nothing, users],
  'builds.stats': [nothing, users],
  'builds.download': [ofFile, [401, 404, 404, 200, 200, 404]],
  'projects.listPublic': [nothing, everybody],
  'projects.mine': [nothing, users],
  'projects.bySlug': [({ project }) => ({ slug: project.slug }), readers],
  'projects.byId': [ofProject, readers],
  'projects.create': [() => ({ title: 'Rocket' }), [401, 201, 201, 201, 201, 201]],
  'projects.update': [(world) => ({ ...ofProject(world), title: 'Spaceship' }), owner],
  'projects.remove': [ofProject, owner],
  'projects.history': [ofProject, [401, 404, 200, 200, 200, 404]],
  'projects.link': [(world) => ({ ...ofProject(world), file_id: world.other.file_id }), [401, 404, 403, 201, 201, 404]],
  'projects.unlink': [ofLink, owner],
  'projects.download': [ofLink, readers],
  'collaborators.list': [ofProject, [401, 404, 200, 200, 200, 404]],
  'collaborators.add': [
    (world) => ({ ...ofProject(world), username: world.bob.username }),
    [401, 404, 403, 201, 201, 404],
  ],
  'collaborators.remove': [(world) => ({ ...ofProject(world), collaboratorId: world.carol.username }), owner],
  'feed.list': [ofProject, readers],
  'feed.add': [(world) => ({ ...ofProject(world), content: 'News' }), [401, 404, 403, 201, 201, 404]],
  'feed.update': [(world) => ({ ...ofPost(world), content: 'News' }), owner],
  'feed.remove': [ofPost, owner],
  'trash.list': [nothing, users],
  'trash.restore': [({ gone }) => ({ id: gone.file_id }), [401, 404, 404, 200, 200, 404]],
  'trash.remove': [({ gone }) => ({ id: gone.file_id }), [401, 404, 404, 200, 200, 404]],
  'host.about': [nothing, everybody],
  'people.list': [nothing, hostOnly],
  'people.update': [({ alice }) => ({ id: alice.id, tier_name: 'Pro' }), hostOnly],
  'people.resetPassword': [({ alice }) => ({ id: alice.id }), hostOnly],
  'people.setRegistration': [() => ({ open: true }), hostOnly],
}

const endpointOf = (call: string): Endpoint => {
  const [feature, action] = call.split('.') as [keyof Api, string]
  return (api[feature] as Record<string, Endpoint>)[action]!
}

type Fetch = (path: string, init?: RequestInit) => Promise<Response>

async function statusOf(fetch: Fetch, call: string, input: object, method = endpointOf(call).method): Promise<number> {
  const endpoint = endpointOf(call)
  const { url, rest } = address(endpoint, input)
  const sent = endpoint.body === 'multipart' ? { ...rest, file: new File(['x'], 'x.txt') } : rest
  const body = travelsInBody(endpoint) ? bodyOf(endpoint, sent) : undefined
  const headers: Record<string, string> = typeof body === 'string' ? { 'content-type': 'application/json' } : {}
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) })
  await response.arrayBuffer()
  return response.status
}

/** How each actor fetches; the host account is none of those in the world. */
async function fetchOf(server: TestServer, actor: (typeof actors)[number], world: World): Promise<Fetch> {
  if (actor === 'visitor') return server.fetch
  if (actor === 'key of the owner') return server.fetchAs(world.alice)
  if (actor === 'host at the window') {
    const host = server.context.users.byName('host') ?? (await aUser(server, 'host', { atMachine: true }))
    return (await server.atWindow(host)).browser.fetch
  }
  const user = { 'other user': world.bob, collaborator: world.carol, owner: world.alice }[actor]
  return (await server.signedIn(user)).browser.fetch
}

describe('what everybody may', () => {
  test.for(Object.entries(table))('%s', async ([call, [inputOf, expected]], { server }) => {
    const statuses: Record<string, number> = {}
    const [world, ofKey, ofHost] = [await aWorld(server, 1), await aWorld(server, 2), await aWorld(server, 3)]
    for (const actor of actors) {
      // Each of those who may change things finds them as they were.
      const theirs = actor === 'key of the owner' ? ofKey : actor === 'host at the window' ? ofHost : world
      const fetch = await fetchOf(server, actor, theirs)
      statuses[actor] = await statusOf(fetch, call, inputOf(theirs, actor))
    }

    expect(statuses).toEqual(Object.fromEntries(actors.map((actor, index) => [actor, expected[index]])))
  })

  test('HEAD is answered as GET is', async ({ server }) => {
    const world = await aWorld(server, 0)
    for (const [call, [inputOf]] of Object.entries(table)) {
      if (endpointOf(call).method !== 'GET') continue
      for (const fetch of [server.fetch, server.fetchAs(world.bob), server.fetchAs(world.alice)] as Fetch[]) {
        const [get, head] = [
          await statusOf(fetch, call, inputOf(world, 'somebody')),
          await statusOf(fetch, call, inputOf(world, 'somebody'), 'HEAD' as 'GET'),
        ]
        expect([call, head]).toEqual([call, get])
      }
    }
  })
})

describe('credentials that are no longer good open nothing, not even what is open to visitors', () => {
  test('a key that was revoked, one that has expired, and one of an account that was disabled', async ({
    server,
    world: clock,
  }) => {
    const world = await aWorld(server, 0)
    const dora = await aUser(server, 'dora')
    const { apiKeys, users } = server.context
    const revoked = await apiKeys.create(world.alice.id, 'revoked', null)
    const expired = await apiKeys.create(world.alice.id, 'expired', 1)
    const ofDisabled = await apiKeys.create(dora.id, 'of a disabled account', null)
    await apiKeys.revoke(revoked.record)
    await users.change(dora.id, { disabled: true })
    clock.advance(DAY)

    for (const { key } of [revoked, expired, ofDisabled]) {
      const fetch: Fetch = (path, init = {}) => {
        const headers = new Headers(init.headers)
        headers.set('x-api-key', key)
        return server.fetch(path, { ...init, headers })
      }
      for (const [call, [inputOf]] of Object.entries(table)) {
        expect([call, await statusOf(fetch, call, inputOf(world, 'somebody'))]).toEqual([call, 401])
      }
    }
  })
})
