import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { api } from '../../../server/contract'
import { HERE, pointerIn } from '../../../server/data/folder/pointer'
import type { Client } from '../../../renderer/lib/client/api-client'
import { bucketSchema } from '../../../server/data/settings/settings-schema'
import type { ServerConfig } from '../../../server/index'
import { aUser } from '../world/factories'
import { NO_MAIL_SERVER } from '../mail/a-subscriber'
import { session, tries, window, type Scenario, type World } from './refusals'

/** Nothing answers at its address. */
const bucket = bucketSchema.parse({ endpoint: 'http://127.0.0.1:9', bucket: 'builds' })
const keys = { accessKeyId: 'GK31', secretAccessKey: 'b4c0ffee' }

/**
 * A folder that the person at the window has chosen, and an app that can move data but does not
 * come to its end.
 */
async function aChoice({ server }: World): Promise<{ folder: string }> {
  const path = join(server.dataDir, '..', 'chosen')
  await mkdir(path, { recursive: true })
  server.inside.dataFolder.attend({
    switchOver: () => undefined,
    trash: () => Promise.reject(new Error('The system has no trash')),
  })
  return { folder: server.inside.chosenFolders.offer(path) }
}

/** Does it again while the first time lasts. */
async function twice(world: World, ask: (client: Client) => Promise<unknown>): Promise<unknown> {
  const client = await window(world)
  const first = ask(client)
  const outcomes = await Promise.allSettled([first, ask(client)])
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  return outcomes
}

/** The same at a host with other options. */
async function onAnother(
  { server }: World,
  options: Pick<Partial<ServerConfig>, 'hostName' | 'rateLimits' | 'bucket'>,
  ask: (client: Client) => Promise<unknown>,
): Promise<unknown> {
  const dataDir = join(server.dataDir, '../another')
  await mkdir(dataDir, { mode: 0o700 })
  const other = await server.restart({ dataDir, ...options })
  const { client } = await other.atWindow(await aUser(other, 'host', { isHost: true }))
  try {
    return await ask(client)
  } finally {
    await other.close()
  }
}

/** What calls about the host itself refuse: its network, bucket, data folder and backups. */
export const hostRefusals = {
  'settings.testMail too_many_requests': async (world) => {
    await world.server.inside.settings.update(NO_MAIL_SERVER)
    const client = await window(world)
    return tries(21, () => client.settings.testMail({ email: 'kim@example.org' }))
  },
  'host.health read_only': ({ server, visitor }) => {
    server.inside.setTrouble('missing')
    return visitor.host.health({})
  },
  'host.phoneTest not_shared': async (world) => (await window(world)).host.phoneTest({}),
  'manage.begin manage_link_invalid': async (world) =>
    (await window(world)).manage.begin({ link: 'A'.repeat(22) }),
  'manage.begin forbidden': async (world) =>
    (await session(world)).manage.begin({ link: 'A'.repeat(22) }),
  'internet.check busy': (world) => twice(world, (client) => client.internet.check({})),
  'internet.open forbidden': (world) =>
    onAnother(world, { hostName: 'host-a' }, (client) => client.internet.open({ way: 'router' })),
  'internet.open rate_limits_off': (world) =>
    onAnother(world, { rateLimits: false }, (client) => client.internet.open({ way: 'router' })),
  'internet.open terms_needed': async (world) =>
    (await window(world)).internet.open({ way: 'router' }),
  'internet.open busy': (world) =>
    twice(world, (client) => client.internet.open({ way: 'router', terms_accepted: true })),
  'internet.phoneTest internet_closed': async (world) =>
    (await window(world)).internet.phoneTest({}),
  'mirror.verify mirror_off': async (world) => (await window(world)).mirror.verify({}),
  'mirror.verify in_progress': async (world) => {
    const client = await window(world)
    await client.mirror.setUp({ ...bucket, access_key_id: 'GK31', secret_access_key: 'b4c0ffee' })
    await client.mirror.verify({})
    return client.mirror.verify({})
  },
  'mirror.setUp forbidden': (world) =>
    onAnother(world, { bucket: { ...bucket, keys } }, (client) =>
      client.mirror.setUp({ ...bucket, access_key_id: 'GK31', secret_access_key: 'b4c0ffee' }),
    ),
  'activity.events busy': async ({ server, host }) => {
    const { browser, client } = await server.atWindow(host)
    // The garbage collector ends the stream of an unreferenced reply.
    const streams: Response[] = []
    while (streams.length < 20) streams.push(await browser.fetch(api.activity.events.path))
    return client.activity.events({}).finally(() => streams.map(({ body }) => body?.cancel()))
  },
  'settings.change taken': async (world) => {
    const other = createServer()
    await once(other.listen(0, '127.0.0.1'), 'listening')
    const { port } = other.address() as AddressInfo
    return (await window(world)).settings.change({ port }).finally(() => other.close())
  },
  'dataFolder.move in_progress': async (world) => {
    const [client, choice] = [await window(world), await aChoice(world)]
    await client.dataFolder.move(choice)
    return client.dataFolder.move(choice)
  },
  'dataFolder.removeOld internal': async (world) => {
    await aChoice(world)
    await pointerIn(world.server.dataDir).write({
      ...HERE,
      old: join(world.server.dataDir, '../chosen'),
    })
    const asked = await (
      await window(world)
    ).dataFolder
      .removeOld({})
      .catch((error: unknown) => error)
    world.server.log.takeErrors()
    throw asked
  },
  'backups.change in_progress': async (world) => {
    const [client, choice] = [await window(world), await aChoice(world)]
    await client.backups.change(choice)
    await client.backups.run({})
    return client.backups.change(choice)
  },
  'backups.run in_progress': async (world) => {
    const client = await window(world)
    await client.backups.change(await aChoice(world))
    await client.backups.run({})
    return client.backups.run({})
  },
} satisfies Record<string, Scenario>
