import { createClient, type Client } from '../../../renderer/lib/client/api-client'
import { aFile } from '../factories'
import { asking, crowded, NONE, tries, type World } from './refusals'

const VERSION = '1.0'
const PASSWORD = 'open sesame'
const fields = { name: 'Beta group' }

/** A tester link of the project, and the token of its address. */
async function aLink({ owner, here }: World, password?: string) {
  const { tester, url } = await owner.testers.create({ id: here.id, ...fields, ...(password && { password }) })
  return { testerId: tester.tester_id, token: url.split('/t/')[1] ?? '' }
}

const basic = ({ server }: World, password: string): Client =>
  createClient(server.url, { headers: { authorization: `Basic ${btoa(`any:${password}`)}` } })

/** What refuses a link with a password. */
const locked = (call: (client: Client, token: string) => Promise<unknown>) => ({
  bad_credentials: async (world: World) => call(world.visitor, (await aLink(world, PASSWORD)).token),
  too_many_requests: async (world: World) => {
    const { token } = await aLink(world, PASSWORD)
    return tries(4, () => call(basic(world, 'wrong'), token))
  },
  busy: async (world: World) => {
    const { token } = await aLink(world, PASSWORD)
    return crowded(world, () => call(basic(world, PASSWORD), token))
  },
})

/** A released file, and a link without a password. */
async function released(world: World): Promise<string> {
  const file = { filename: 'b.apk', version: VERSION, project_id: world.here.id, is_public: true }
  await aFile(world.server, world.alice, file)
  return (await aLink(world)).token
}

const redirect = (call: (client: Client, token: string) => Promise<unknown>) => ({
  not_found: ({ owner }: World) => call(owner, NONE),
  ...locked(call),
})
const askFile = (client: Client, token: string) =>
  client.testers.download({ token, version: VERSION, filename: 'b.apk' })

const askUpdate = (client: Client, token: string) =>
  client.testers.electronFile({ token, version: VERSION, filename: 'b.apk' })

/** The errors of calls about tester links, each with its scenario. */
export const onTesters = {
  list: {
    not_found: ({ owner }: World) => owner.testers.list({ id: NONE }),
    forbidden: ({ stranger, here }: World) => stranger.testers.list({ id: here.id }),
  },
  create: {
    not_found: ({ owner }: World) => owner.testers.create({ id: NONE, ...fields }),
    forbidden: ({ stranger, here }: World) => stranger.testers.create({ id: here.id, ...fields }),
    too_many_records: (world: World) => tries(101, () => aLink(world)),
    busy: (world: World) => crowded(world, () => aLink(world, PASSWORD)),
  },
  update: {
    not_found: ({ owner, here }: World) => owner.testers.update({ id: here.id, testerId: NONE, ...fields }),
    forbidden: ({ stranger, here }: World) => stranger.testers.update({ id: here.id, testerId: NONE, ...fields }),
    busy: async (world: World) => {
      const { testerId } = await aLink(world)
      const change = { id: world.here.id, testerId, password: PASSWORD }
      return crowded(world, () => world.owner.testers.update(change))
    },
  },
  revoke: {
    not_found: ({ owner, here }: World) => owner.testers.revoke({ id: here.id, testerId: NONE }),
    forbidden: ({ stranger, here }: World) => stranger.testers.revoke({ id: here.id, testerId: NONE }),
  },
  unlock: {
    not_found: ({ visitor }: World) => visitor.testers.unlock({ token: NONE, password: PASSWORD }),
    bad_credentials: async (world: World) =>
      world.visitor.testers.unlock({ token: (await aLink(world, PASSWORD)).token, password: 'wrong' }),
    too_many_requests: async (world: World) => {
      const { token } = await aLink(world, PASSWORD)
      return tries(4, () => world.visitor.testers.unlock({ token, password: 'wrong' }))
    },
    busy: async (world: World) => {
      const { token } = await aLink(world, PASSWORD)
      return crowded(world, () => world.visitor.testers.unlock({ token, password: PASSWORD }))
    },
  },
  download: {
    ...locked(askFile),
    not_found: ({ owner }: World) => askFile(owner, NONE),
    precondition_failed: async (world: World) =>
      askFile(await asking(world, 'if-match', '"another"'), await released(world)),
    range_not_satisfiable: async (world: World) =>
      askFile(await asking(world, 'range', 'bytes=5000-'), await released(world)),
  },
  atom: redirect((client, token) => client.testers.atom({ token })),
  json: redirect((client, token) => client.testers.json({ token })),
  electron: redirect((client, token) => client.testers.electron({ token, feed: 'latest.yml' })),
  electronFile: {
    ...locked(askUpdate),
    not_found: ({ owner }: World) => askUpdate(owner, NONE),
    precondition_failed: async (world: World) =>
      askUpdate(await asking(world, 'if-match', '"another"'), await released(world)),
    range_not_satisfiable: async (world: World) =>
      askUpdate(await asking(world, 'range', 'bytes=5000-'), await released(world)),
  },
  latestPage: redirect((client, token) => client.testers.latestPage({ token })),
  latestFile: redirect((client, token) => client.testers.latestFile({ token, platform: 'android' })),
  latestFileOfArch: redirect((client, token) =>
    client.testers.latestFileOfArch({ token, platform: 'android', arch: 'arm64' }),
  ),
}
