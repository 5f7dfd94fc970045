import { expect } from 'vitest'
import { aFile, aFullQuota, aLink, aProject, aReport } from '../world/factories'
import { aReceiver } from '../webhooks/receiver'
import { aManifest, anApk } from '../packages'
import { aPicture } from '../pictures'
import { readReply } from '../../../renderer/lib/client/api-client'
import { NO_MAIL_SERVER } from '../mail/a-subscriber'
import { aBrowser } from '../mail/push-service'
import { ACCESS_REQUESTS_PER_HOUR, DEVICES_MAX, SCREENSHOTS_MAX } from '../../../server/contract'
import { anIssuer } from '../network/issuer'
import { aDeviceAnswer } from '../network/signed-message'
import { announce, session, tries, window, type Scenario, type World } from './refusals'

/** The path of a tester link. */
async function aDoor({ owner, here: { id } }: World): Promise<string> {
  const { url } = await owner.testers.create({ id, name: 'Berlin' })
  return new URL(url).pathname
}

const tokenOf = (door: string) => door.split('/t/')[1] ?? ''

const aReporterIn = async (world: World): Promise<string> =>
  `/r/${(await aReport(world.server, tokenOf(await aDoor(world)))).reportToken}`

/** Enters an address for notices. */
async function refuseMail({ server }: World, page: string): Promise<unknown> {
  const reply = await server.fetch(`${page}/subscribers`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'kim@example.org' }),
    redirect: 'manual',
  })
  return readReply(reply.status, await reply.text())
}

async function refuseMany(world: World, page: string): Promise<unknown> {
  await world.server.inside.settings.update(NO_MAIL_SERVER)
  return tries(11, () => refuseMail(world, page))
}

const refuseBrowsers = ({ server }: World, page: string): Promise<unknown> =>
  tries(11, async () => {
    const { subscription } = aBrowser('https://push.example.org/kim')
    const reply = await server.fetch(`${page}/push`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(subscription),
    })
    return readReply(reply.status, await reply.text())
  })

/** The project with a release of this version. */
async function released({ server, alice, here }: World) {
  await aFile(server, alice, {
    filename: 'b.apk',
    version: '1.0',
    project_id: here.id,
    is_public: true,
  })
  return { id: here.id, version: '1.0' }
}

/** A project of the host that watches two folders, and the token of the first. */
async function watched(world: World) {
  const client = await window(world)
  const { project_id: id } = await aProject(world.server, world.host)
  const choose = (path: string) => world.server.inside.chosenFolders.offer(path)
  await client.watches.add({ id, folder: choose(import.meta.dirname), pattern: '*.apk' })
  const { watch } = await client.watches.add({ id, folder: choose('/'), pattern: '*.apk' })
  return { client, id, watchId: watch.watch_id, folder: choose(import.meta.dirname) }
}

/** Carol's client, as a maintainer of the project. */
async function maintained({ server, owner, here }: World) {
  await owner.collaborators.change({ id: here.id, collaboratorId: 'carol', role: 'maintainer' })
  return { carol: server.user('carol'), client: server.as(server.user('carol')) }
}

/** A webhook that sends a message, which nobody answers. */
async function sending({ server, owner, here: { id } }: World) {
  const receiver = await aReceiver(() => ({ after: new Promise(() => undefined) }))
  await server.inside.settings.update({ webhook_networks: ['127.0.0.1'] })
  const { webhook } = await owner.webhooks.create({
    id,
    name: 'CI',
    url: receiver.url,
    events: ['post.created'],
  })
  const path = { id, webhookId: webhook.webhook_id }
  await owner.posts.add({ id, content: 'News' })
  const [delivery] = (await owner.webhooks.deliveries(path)).deliveries
  owner.webhooks.test(path).catch(() => undefined)
  await expect.poll(() => receiver.got.length).toBe(2)
  return { ...path, deliveryId: delivery!.delivery_id }
}

const ofRepository = { provider: 'github', repository: 'lea/lantern', branch: 'main' } as const

/** A job of a trusted repository that asks for a key. */
async function exchanging(world: World, { ref = 'main', isDown = false }) {
  const { server, here } = world
  const issuer = await anIssuer()
  issuer.state.isDown = isDown
  const public_url = 'https://builds.example'
  await server.inside.settings.update({ webhook_networks: ['127.0.0.1'], public_url })

  const client = await session(world)
  await client.trustedPublishers.add({ id: here.id, ...ofRepository, issuer: issuer.url })
  const claims = { repository: 'lea/lantern', repository_id: '42', ref: `refs/heads/${ref}` }
  const token = await issuer.sign({ aud: public_url, ...claims }, server.clock.now())
  return world.visitor.trustedPublishers.exchange({ project: here.id, token })
}

const picture = (width: number) => new Blob([new Uint8Array(aPicture({ width }))])

/** Announces a picture, and sends none. */
const announcePicture = (world: World, headers: Record<string, string>) =>
  announce(world, `POST /api/projects/${world.here.id}/pictures?kind=icon`, {
    'Content-Type': 'image/png',
    ...headers,
  })

/** What the calls about projects refuse. */
export const projectRefusals = {
  'projects.create taken': async ({ owner, here }) => {
    const { slug } = (await owner.projects.byId({ id: here.id })).project
    return owner.projects.create({ title: 'Again', slug })
  },
  'trustedPublishers.add taken': async (world) => {
    const client = await session(world)
    const job = { ...ofRepository, id: world.here.id }
    await client.trustedPublishers.add(job)
    return client.trustedPublishers.add(job)
  },
  'trustedPublishers.exchange forbidden': async (world) => exchanging(world, { ref: 'other' }),
  'trustedPublishers.exchange busy': async (world) => exchanging(world, { isDown: true }),
  'previews.put gone': async ({ owner, here: { id } }) => {
    const { preview_id } = (await owner.previews.put({ id, name: 'pr-1' })).preview
    await owner.previews.end({ id, name: 'pr-1' })
    return owner.previews.put({ id, name: 'pr-1', preview_id })
  },
  'projects.link taken': ({ owner, here }) => owner.projects.link(here),
  'projects.link build_mismatch': async ({ server, alice, owner, here }) => {
    const unsigned = new Uint8Array(anApk(aManifest('1.4.2')))
    const { file_id } = await aFile(server, alice, { filename: 'x.apk', bytes: unsigned })
    return owner.projects.link({ id: here.id, file_id, strict: true })
  },
  'projects.link in_use': async (world) => {
    const { carol, client } = await maintained(world)
    const file = await aFile(world.server, carol)
    await aLink(world.server, carol, await aProject(world.server, carol, { title: 'Hers' }), file)
    return client.projects.link({ id: world.here.id, file_id: file.file_id })
  },
  'projects.link quota_exceeded': async (world) => {
    const { carol, client } = await maintained(world)
    const { file_id } = await aFile(world.server, carol)
    await aFullQuota(world.server, world.alice, 0)
    return client.projects.link({ id: world.here.id, file_id })
  },
  'pictures.add taken': async ({ owner, here }) => {
    const icon = { id: here.id, kind: 'icon', file: picture(8) } as const
    await owner.pictures.add(icon)
    return owner.pictures.add(icon)
  },
  'pictures.add too_many_records': async ({ owner, here }) => {
    for (let width = 1; width <= SCREENSHOTS_MAX + 1; width++)
      await owner.pictures.add({ id: here.id, kind: 'screenshot', file: picture(width) })
  },
  'pictures.add length_required': (world) => announcePicture(world, {}),
  'pictures.add too_large': (world) => announcePicture(world, { 'Content-Length': '10485761' }),
  'pictures.add unsupported_media_type': ({ owner, here }) =>
    owner.pictures.add({ id: here.id, kind: 'icon', file: new Blob(['<svg/>']) }),
  'collaborators.add taken': ({ owner, here }) =>
    owner.collaborators.add({ id: here.id, username: 'carol' }),
  'releases.create taken': async (world) => world.owner.releases.create(await released(world)),
  'releases.remove in_use': async (world) => world.owner.releases.remove(await released(world)),
  'webhooks.test in_progress': async (world) => world.owner.webhooks.test(await sending(world)),
  'webhooks.sendAgain in_progress': async (world) =>
    world.owner.webhooks.sendAgain(await sending(world)),
  'notices.subscribeTester not_supported': async (world) => refuseMail(world, await aDoor(world)),
  'notices.subscribeReporter not_supported': async (world) =>
    refuseMail(world, await aReporterIn(world)),
  'notices.subscribeTester too_many_requests': async (world) =>
    refuseMany(world, await aDoor(world)),
  'notices.subscribeReporter too_many_requests': async (world) =>
    refuseMany(world, await aReporterIn(world)),
  'notices.pushTester too_many_requests': async (world) =>
    refuseBrowsers(world, await aDoor(world)),
  'notices.pushReporter too_many_requests': async (world) =>
    refuseBrowsers(world, await aReporterIn(world)),
  'devices.profile not_supported': async (world) =>
    world.visitor.devices.profile({ token: tokenOf(await aDoor(world)) }),
  'devices.add too_large': async (world) => {
    const file = new Blob([new Uint8Array(70_000)])
    return world.visitor.devices.add({ token: tokenOf(await aDoor(world)), file })
  },
  'devices.add too_many_records': async (world) => {
    const door = await aDoor(world)
    const CHALLENGE = world.server.inside.testerTicketOf(tokenOf(door), 'device')
    const send = async (number: number) => {
      const UDID = String(number).repeat(20)
      const body = await aDeviceAnswer({ UDID, PRODUCT: 'iPhone15,2', CHALLENGE })
      const init = { method: 'POST', body, redirect: 'manual' } as const
      return world.server.fetch(`${door}/device`, init)
    }
    for (let number = 10; number < 10 + DEVICES_MAX; number++) await send(number)
    const refused = await send(10 + DEVICES_MAX)
    return readReply(refused.status, await refused.text())
  },
  'watches.add taken': async (world) => {
    const { client, id, folder } = await watched(world)
    return client.watches.add({ id, folder })
  },
  'watches.change taken': async (world) => {
    const { client, ...change } = await watched(world)
    return client.watches.change(change)
  },
  'accessRequests.ask too_many_requests': async ({ owner, visitor, here: { id } }) => {
    await owner.accessRequests.configure({ id, is_open: true })
    for (let more = 0; more < ACCESS_REQUESTS_PER_HOUR.network; more++)
      await visitor.accessRequests.ask({ id })
    return visitor.accessRequests.ask({ id })
  },
} satisfies Record<string, Scenario>
