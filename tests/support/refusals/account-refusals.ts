import { aFullQuota, allow } from '../factories'
import { NONE, nothing, session, tries, type World } from './refusals'

type Scenario = (world: World) => Promise<unknown>

/** Once the owner's quota is full. */
const full =
  (scenario: Scenario): Scenario =>
  async (world) => {
    await aFullQuota(world.server, world.alice, 1)
    return scenario(world)
  }

/** The errors of project calls, each with its scenario. */
export const onProjects = {
  create: {
    quota_exceeded: full(({ owner }) => owner.projects.create({ title: 'Rocket' })),
    too_many_records: async ({ server, owner }) => {
      await allow(server, { projectsPerAccount: 1 })
      return owner.projects.create({ title: 'Rocket' })
    },
  },
  update: {
    quota_exceeded: full(({ owner, here }) => owner.projects.update({ id: here.id, title: 'A longer title' })),
    not_found: ({ owner }) => owner.projects.update({ ...nothing, title: 'Rocket' }),
    forbidden: ({ stranger, here }) => stranger.projects.update({ id: here.id, title: 'Mine' }),
  },
} satisfies Record<string, Record<string, Scenario>>

export const onPosts = {
  add: {
    not_found: ({ owner }) => owner.feed.add({ ...nothing, content: 'News' }),
    forbidden: ({ stranger, here }) => stranger.feed.add({ id: here.id, content: 'News' }),
    quota_exceeded: full(({ owner, here }) => owner.feed.add({ id: here.id, content: 'News' })),
    too_many_records: async ({ server, owner, here }) => {
      await allow(server, { postsPerAccount: 1 })
      return owner.feed.add({ id: here.id, content: 'News' })
    },
  },
  update: {
    not_found: ({ owner, here }) => owner.feed.update({ id: here.id, postId: NONE, content: 'News' }),
    forbidden: ({ stranger, here }) => stranger.feed.update({ id: here.id, postId: here.postId, content: 'News' }),
    quota_exceeded: full(({ owner, here }) =>
      owner.feed.update({ id: here.id, postId: here.postId, content: 'More news' }),
    ),
  },
} satisfies Record<string, Record<string, Scenario>>

export const onTrash = {
  restore: {
    not_found: ({ owner }) => owner.trash.restore(nothing),
    quota_exceeded: full(({ owner, gone }) => owner.trash.restore(gone)),
    too_many_records: async ({ server, owner }) => {
      await allow(server, { projectsPerAccount: 1 })
      const { project } = await owner.projects.byId({ id: 'rocket' })
      await owner.projects.remove({ id: project.project_id })
      await owner.projects.create({ title: 'Another' })
      return owner.trash.restore({ id: project.project_id })
    },
  },
} satisfies Record<string, Record<string, Scenario>>

const tooManyKeys = async (world: World) => {
  const client = await session(world)
  await allow(world.server, { apiKeysPerAccount: 1 })
  return tries(2, () => client.apiKeys.create({ name: 'CI' }))
}

export const keyCalls = {
  create: {
    not_found: async (world) => (await session(world)).apiKeys.create({ name: 'CI', project_id: NONE }),
    forbidden: async ({ server, carol, here }) => {
      const { client } = await server.signedIn(carol)
      return client.apiKeys.create({ name: 'CI', project_id: here.id })
    },
    too_many_records: tooManyKeys,
  },
  revoke: { not_found: async (world) => (await session(world)).apiKeys.revoke(nothing) },
  remove: { not_found: async (world) => (await session(world)).apiKeys.remove(nothing) },
} satisfies Record<string, Record<string, Scenario>>

/** A code that a terminal shows. */
const aCode = async ({ visitor }: World) => (await visitor.pairings.start({ name: 'CI' })).code

export const pairingCalls = {
  start: { too_many_requests: ({ visitor }) => tries(21, () => visitor.pairings.start({ name: 'CI' })) },
  collect: { not_found: ({ visitor }) => visitor.pairings.collect({ ...nothing, secret: 'wrong' }) },
  look: {
    not_found: async (world) => (await session(world)).pairings.look({ code: 'BCDF-GHJK' }),
    too_many_requests: async (world) => {
      const client = await session(world)
      return tries(6, () => client.pairings.look({ code: 'BCDF-GHJK' }))
    },
  },
  answer: {
    not_found: async (world) => (await session(world)).pairings.answer({ code: 'BCDF-GHJK', approve: false }),
    forbidden: async (world) => {
      const { client } = await world.server.signedIn(world.bob)
      return client.pairings.answer({ code: await aCode(world), approve: true, project_id: world.here.id })
    },
    too_many_records: async (world) => {
      const client = await session(world)
      await client.apiKeys.create({ name: 'CI' })
      await allow(world.server, { apiKeysPerAccount: 1 })
      return client.pairings.answer({ code: await aCode(world), approve: true, project_id: world.here.id })
    },
    too_many_requests: async (world) => {
      const client = await session(world)
      return tries(6, () => client.pairings.answer({ code: 'BCDF-GHJK', approve: false }))
    },
  },
} satisfies Record<string, Record<string, Scenario>>
