import type { Client } from '../../../renderer/lib/client/api-client'
import { aFile, aFullQuota } from '../factories'
import { NONE, nothing, type World } from './refusals'
import { downloads } from './transfer-refusals'

const VERSION = '1.0'

/** The project with a release of the version. */
async function released({ server, alice, here }: World) {
  await aFile(server, alice, { filename: 'b.apk', version: VERSION, project_id: here.id, is_public: true })
  return { id: here.id, version: VERSION }
}

const changes = (call: (client: Client, input: { id: string; version: string }) => Promise<unknown>) => ({
  not_found: ({ owner, here }: World) => call(owner, { id: here.id, version: NONE }),
  forbidden: async (world: World) => call(world.stranger, await released(world)),
})

const missing = (
  call: (client: Client, input: { id: string; platform: string; arch: string }) => Promise<unknown>,
) => ({
  not_found: ({ owner, here }: World) => call(owner, { id: here.id, platform: 'web', arch: 'x64' }),
})

interface ReleasedFile {
  id: string
  version: string
  filename: string
}

/** What refuses a file of a release. */
function ofReleased(call: (client: Client, input: ReleasedFile) => Promise<unknown>) {
  const refusals = downloads(call, ({ here }) => ({ id: here.id, version: VERSION, filename: 'b.apk' }))
  return Object.fromEntries(
    Object.entries(refusals).map(([code, scenario]) => [
      code,
      async (world: World) => {
        await released(world)
        return scenario(world)
      },
    ]),
  ) as typeof refusals
}

/** The errors of release calls, each with its scenario. */
export const onReleases = {
  list: { not_found: ({ owner }: World) => owner.releases.list(nothing) },
  latest: missing((client, input) => client.releases.latest(input)),
  byVersion: {
    not_found: ({ owner, here }: World) => owner.releases.byVersion({ id: here.id, version: VERSION }),
  },
  create: {
    not_found: ({ owner }: World) => owner.releases.create({ id: NONE, version: VERSION }),
    forbidden: ({ stranger, here }: World) => stranger.releases.create({ id: here.id, version: VERSION }),
    taken: async (world: World) => world.owner.releases.create(await released(world)),
    too_many_records: async ({ server, owner, alice, here }: World) => {
      const { store } = server.context.projects
      const project = { id: store.find(here.id)!.id, ownerId: alice.id }
      const details = { notes: '', state: 'draft' as const }
      await Promise.all(
        Array.from({ length: 5000 }, (_, number) => store.releases.create(project, `0.${number}`, details)),
      )
      return owner.releases.create({ id: here.id, version: VERSION })
    },
    quota_exceeded: async ({ server, alice, owner, here }: World) => {
      await aFullQuota(server, alice, 1)
      return owner.releases.create({ id: here.id, version: VERSION, notes: 'Faster' })
    },
  },
  update: {
    ...changes((client, input) => client.releases.update({ ...input, notes: '' })),
    quota_exceeded: async (world: World) => {
      const input = await released(world)
      await aFullQuota(world.server, world.alice, 1)
      return world.owner.releases.update({ ...input, notes: 'Faster' })
    },
  },
  remove: {
    ...changes((client, input) => client.releases.remove(input)),
    in_use: async (world: World) => world.owner.releases.remove(await released(world)),
  },
  promote: changes((client, input) => client.releases.promote(input)),
  withdraw: changes((client, input) => client.releases.withdraw(input)),
  publish: changes((client, input) => client.releases.publish(input)),
  download: ofReleased((client, input) => client.releases.download(input)),
  latestPage: { not_found: ({ owner, here }: World) => owner.releases.latestPage({ id: here.id }) },
  latestFile: missing((client, input) => client.releases.latestFile(input)),
  latestFileOfArch: missing((client, input) => client.releases.latestFileOfArch(input)),
}

/** The errors of feeds, each with its scenario. */
export const onFeeds = {
  atom: { not_found: ({ owner }: World) => owner.feeds.atom(nothing) },
  json: { not_found: ({ owner }: World) => owner.feeds.json(nothing) },
  electron: { not_found: ({ owner, here }: World) => owner.feeds.electron({ id: here.id, feed: 'latest.yml' }) },
  electronFile: ofReleased((client, input) => client.feeds.electronFile(input)),
}
