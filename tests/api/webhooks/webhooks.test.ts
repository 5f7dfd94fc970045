import { describe, expect } from 'vitest'
import { aFile, aPost, aProject, aUser } from '../../support/world/factories'
import { refusal } from '../../support/network/reply'
import { aReceiver } from '../../support/webhooks/receiver'
import { test as base } from '../../support/world/http'
import { DAY } from '../../support/world/test-clock'
import type { TestServer } from '../../support/world/test-server'

const everything = [
  ...(['release.published', 'release.promoted', 'release.withdrawn'] as const),
  ...(['build.arrived', 'post.created', 'downloads.reached'] as const),
]

/** A private project of alice's, and a host whose account allows webhooks on this computer. */
const test = base
  .extend({ settings: { webhook_networks: ['127.0.0.0/8'] } })
  .extend<{ at: Awaited<ReturnType<typeof aPlace>> }>({
    at: async ({ server }, use) => use(await aPlace(server)),
  })

async function aPlace(server: TestServer) {
  const alice = await aUser(server, 'alice')
  const project = await aProject(server, alice, { title: 'Lantern' })
  const { project_id: id } = project
  const owner = server.as(alice)
  const add = async (
    url: string,
    fields: { events?: (typeof everything)[number][]; name?: string } = {},
  ) => owner.webhooks.create({ id, name: 'CI', url, events: everything, ...fields })
  return { id, alice, project, owner, add, idle: () => server.inside.webhooks.idle() }
}

const typesOf = ({ got }: Awaited<ReturnType<typeof aReceiver>>) =>
  got.map(({ text }) => (JSON.parse(text) as { type: string }).type)

describe('webhooks.create, webhooks.list, webhooks.update, webhooks.remove and webhooks.renewSecret', () => {
  test('tell what happens in a project once', async ({
    server,
    at: { id, alice, project, owner, add, idle },
  }) => {
    const receiver = await aReceiver()
    await add(`${receiver.url}/all`)
    const file = await aFile(server, alice, {
      filename: 'rocket.apk',
      project_id: id,
      version: '1.0',
    })
    await owner.releases.create({ id, version: '2.0-beta', notes: 'New lamps', state: 'draft' })
    await owner.releases.publish({ id, version: '2.0-beta' })
    await owner.releases.promote({ id, version: '2.0-beta', channel: 'stable' })
    await owner.releases.withdraw({ id, version: '2.0-beta' })
    await owner.releases.update({ id, version: '1.0', notes: 'No news' })
    await aPost(server, alice, project, 'Hello')
    await owner.files.remove({ id: file.file_id })
    await owner.trash.restore({ id: file.file_id })
    await idle()

    expect(typesOf(receiver)).toEqual([
      ...['release.published', 'build.arrived', 'release.published', 'release.promoted'],
      ...['release.withdrawn', 'post.created'],
    ])
    expect(JSON.parse(receiver.got[3]!.text)).toEqual({
      type: 'release.promoted',
      timestamp: expect.any(String) as string,
      data: {
        summary: 'Lantern 2.0-beta moved from beta to stable',
        url: null,
        project: { project_id: id, slug: 'lantern', title: 'Lantern' },
        release: {
          ...{ version: '2.0-beta', channel: 'stable', state: 'published', notes: 'New lamps' },
          previous_channel: 'beta',
        },
      },
    })
    expect(new Set(receiver.got.map(({ headers }) => headers['webhook-id'])).size).toBe(6)
  })

  test('tell the 100th download once, also after a crash', async ({
    server,
    at: { id, alice, add, idle },
  }) => {
    const receiver = await aReceiver()
    await add(receiver.url, { events: ['downloads.reached'] })
    const { file_id } = await aFile(server, alice, { project_id: id })
    const download = (visitor: string) =>
      server.inside.counts.downloaded(visitor, file_id, { projectId: id })
    for (let n = 1; n <= 101; n++) download(`visitor ${n}`)
    await server.inside.library.transact((tx) => tx.setCounter(`project:${id}:downloads`, 99))
    download('visitor 102')
    await server.inside.library.settled()
    await idle()

    expect(receiver.got.map(({ text }) => JSON.parse(text) as unknown)).toMatchObject([
      { type: 'downloads.reached', data: { downloads: 100, summary: 'Lantern has 100 downloads' } },
    ])
  })

  test('are found in their own project only, and no reply has secrets', async ({
    server,
    at: { id, alice, owner, add },
  }) => {
    const receiver = await aReceiver(() => ({ status: 500 }))
    const { webhook, secret } = await add(`${receiver.url}/s3cret-path?key=s3cret-key`)
    const chat = {
      id,
      name: 'Room',
      service: 'matrix' as const,
      url: receiver.url,
      target: '!room',
      access_token: 's3cret-token',
    }
    const { webhook: room } = await owner.webhooks.create(chat)
    const path = { id, webhookId: webhook.webhook_id }
    await owner.webhooks.test(path)
    await owner.webhooks.test({ id, webhookId: room.webhook_id })

    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
    const other = await aProject(server, alice)
    await expect(
      owner.webhooks.deliveries({ ...path, id: other.project_id }),
    ).rejects.toMatchObject(refusal('not_found'))
    const seen = JSON.stringify([
      await owner.webhooks.list({ id }),
      await owner.webhooks.update({ ...path, name: 'Build server' }),
      await owner.webhooks.deliveries(path),
      await owner.webhooks.deliveries({ id, webhookId: room.webhook_id }),
      await server.inside.audit.page({ limit: 50 }),
    ])
    expect(seen).not.toMatch(/s3cret|whsec_/)
    expect(seen).toContain(`127.0.0.1:${receiver.port}`)
    expect(receiver.got.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      'Bearer s3cret-token',
    ])
  })

  test('refuse fields that their service lacks or does not take', async ({ at: { id, owner } }) => {
    const slack = { service: 'slack', url: 'https://s.example/x', access_token: 'x' } as const
    const topic = 'Enter the address of the topic, such as https://ntfy.sh/my-topic'
    for (const [fields, field, message] of [
      [{ service: 'discord' }, 'url', 'Enter the address'],
      [
        { service: 'matrix', url: 'https://m.example', access_token: 'x' },
        'target',
        'Enter the id of the room',
      ],
      [{ service: 'telegram', target: '1' }, 'access_token', 'Enter the token of the bot'],
      [slack, 'access_token', 'This service takes no token'],
      [
        { service: 'json', url: 'https://s.example/x', target: 'x' },
        'target',
        'This service takes no room or chat',
      ],
      [{ service: 'ntfy', url: 'https://ntfy.sh' }, 'url', topic],
    ] as const) {
      const refused = owner.webhooks.create({ id, name: 'CI', ...fields })
      await expect(refused).rejects.toMatchObject({ ...refusal('invalid_input', field), message })
    }
  })

  test('send a token to no other address, get a new secret, are ten at most', async ({
    at: { id, owner, add },
  }) => {
    const chat = {
      id,
      name: 'Room',
      service: 'matrix' as const,
      url: 'https://m.example',
      target: '!room',
      access_token: 'x',
    }
    const { webhook } = await owner.webhooks.create(chat)
    const moved = owner.webhooks.update({
      id,
      webhookId: webhook.webhook_id,
      url: 'https://evil.example',
    })
    await expect(moved).rejects.toMatchObject(refusal('invalid_input', 'access_token'))
    const { secret } = await add('https://ci.example')
    const listed = await owner.webhooks.list({ id })
    const signed = { id, webhookId: listed.webhooks[1]!.webhook_id }
    expect((await owner.webhooks.renewSecret(signed)).secret).not.toBe(secret)
    await owner.webhooks.remove(signed)

    const made = await Promise.allSettled(
      Array.from({ length: 11 }, () => add('https://ci.example')),
    )
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(9)
  })

  test('wait for their project in the trash', async ({
    server,
    at: { id, alice, project, owner, add, idle },
  }) => {
    const receiver = await aReceiver(() => ({ status: 503 }))
    const { webhook } = await add(receiver.url)
    const path = { id, webhookId: webhook.webhook_id }
    await aPost(server, alice, project)
    await idle()
    expect((await owner.webhooks.list({ id })).webhooks[0]).toMatchObject({
      waiting: 1,
      last_try: { succeeded: false },
    })

    await owner.projects.remove({ id })
    server.clock.advance(DAY)
    server.inside.webhooks.look()
    await idle()
    await owner.trash.restore({ id })
    expect(receiver.got).toHaveLength(1)
    expect((await owner.webhooks.deliveries(path)).deliveries).toMatchObject([
      { state: 'failed', tries: 1 },
    ])

    await owner.projects.remove({ id })
    await owner.trash.remove({ id })
    const { library } = server.inside
    expect([
      library.collection('webhooks').size,
      library.collection('webhookDeliveries').size,
    ]).toEqual([0, 0])
  })
})
