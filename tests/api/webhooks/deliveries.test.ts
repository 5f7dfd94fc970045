import { describe, expect } from 'vitest'
import { aPost, aProject, aUser } from '../../support/world/factories'
import { aReceiver } from '../../support/webhooks/receiver'
import { test as base } from '../../support/world/http'
import { DAY, HOUR, SECOND } from '../../support/world/test-clock'
import type { TestServer } from '../../support/world/test-server'

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
  const add = async (url: string) => {
    const { webhook } = await owner.webhooks.create({
      id,
      name: 'CI',
      url,
      events: ['post.created'],
    })
    const path = { id, webhookId: webhook.webhook_id }
    return {
      path,
      list: async () => (await owner.webhooks.deliveries(path)).deliveries,
      look: async () =>
        (await owner.webhooks.list({ id })).webhooks.find(
          (it) => it.webhook_id === path.webhookId,
        )!,
    }
  }
  const pass = async (ms: number) => {
    server.clock.advance(ms)
    server.inside.webhooks.look()
    await server.inside.webhooks.idle()
  }
  const post = () => aPost(server, alice, project)
  return { id, owner, add, post, pass }
}

describe('webhooks.deliveries, webhooks.sendAgain and webhooks.test: a delivery', () => {
  test('is tried again with the same id, later each time, until it arrives', async ({
    at: { add, post, pass },
  }) => {
    const receiver = await aReceiver((_, count) =>
      count < 3
        ? { status: 502, body: 'Bad\u0000 gateway' }
        : { status: 200, body: 'x'.repeat(70_000) },
    )
    const { list, look } = await add(receiver.url)
    await post()
    await pass(0)
    expect(await list()).toMatchObject([
      {
        state: 'waiting',
        tries: 1,
        last_try: { status: 502, error: 'It refused the message (502)', reply: 'Bad gateway' },
      },
    ])
    await pass(14 * SECOND)
    expect(receiver.got).toHaveLength(1)
    await pass(SECOND)
    await pass(29 * SECOND)
    expect(receiver.got).toHaveLength(2)
    await pass(SECOND)
    await pass(HOUR)

    const [first, ...others] = receiver.got
    expect(others).toHaveLength(2)
    for (const { headers, text } of others) {
      expect([headers['webhook-id'], text]).toEqual([first?.headers['webhook-id'], first?.text])
      expect(headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp'])
    }
    const [delivery] = await list()
    expect(delivery).toMatchObject({
      state: 'delivered',
      tries: 3,
      next_try_at: null,
      last_try: { error: null },
    })
    expect(delivery?.last_try?.reply).toHaveLength(1000)
    expect(await look()).toMatchObject({ waiting: 0, last_try: { succeeded: true } })
  })

  test('turns its webhook off after a day of failures, and a person can send it again', async ({
    server,
    at: { owner, add, post, pass },
  }) => {
    const receiver = await aReceiver(() => ({ status: 500 }))
    const { path, list, look } = await add(receiver.url)
    await post()
    for (let tries = 1; tries < 30; tries++) await pass(2 * HOUR)

    expect(receiver.got).toHaveLength(21)
    expect(await look()).toMatchObject({ is_on: false, off_reason: 'failures', waiting: 0 })
    expect((await server.inside.audit.page({ limit: 1 })).events[0]).toMatchObject({
      kind: 'webhook_off',
      subject: 'CI',
    })
    expect((await owner.projects.news({})).news).toMatchObject([
      { kind: 'webhook', name: 'CI', title: 'Lantern' },
    ])
    await post()
    await pass(0)
    const [{ delivery_id: deliveryId } = { delivery_id: '' }, ...more] = await list()
    expect(more).toEqual([])

    receiver.answer = () => ({ status: 204 })
    const { delivery } = await owner.webhooks.sendAgain({ ...path, deliveryId })
    expect(delivery).toMatchObject({
      state: 'delivered',
      tries: 22,
      last_try: { status: 204, error: null },
    })
    expect(receiver.got.at(-1)?.headers['webhook-id']).toBe(receiver.got[0]?.headers['webhook-id'])
    await owner.webhooks.update({ ...path, is_on: true })
    await post()
    await pass(0)
    expect(await look()).toMatchObject({
      is_on: true,
      off_reason: null,
      last_try: { succeeded: true },
    })
  })

  test('to a slow receiver delays no other; the last 50 are kept', async ({
    server,
    at: { id, add, pass },
  }) => {
    const gate = Promise.withResolvers<undefined>()
    const slow = await aReceiver(() => ({ after: gate.promise }))
    const quick = await aReceiver()
    const slowly = await add(slow.url)
    const { list, look } = await add(quick.url)
    const { library, projects } = server.inside
    const { ownerId } = projects.find(id)!
    const at = {
      createdAt: server.clock.now().toISOString(),
      updatedAt: server.clock.now().toISOString(),
    }
    await Promise.all(
      Array.from({ length: 300 }, (_, n) =>
        library.transact((tx) => {
          const post = {
            id: `post${String(n).padStart(6, '0')}`,
            projectId: id,
            authorId: ownerId,
            content: String(n),
            ...at,
          }
          tx.put(library.collection('posts'), post.id, post)
        }),
      ),
    )
    await expect.poll(() => quick.got.length, { timeout: 30_000 }).toBe(300)

    const numbers = quick.got.map(({ text }) =>
      Number((JSON.parse(text) as { data: { post: { content: string } } }).data.post.content),
    )
    expect(numbers).toEqual(Array.from({ length: 300 }, (_, n) => n))
    expect(slow.got).toHaveLength(1)
    expect(await slowly.look()).toMatchObject({ waiting: 300 })
    gate.resolve(undefined)
    slow.answer = () => ({ status: 410 })
    await pass(0)
    expect(await slowly.look()).toMatchObject({ is_on: false, off_reason: 'gone', waiting: 0 })
    expect(await list()).toHaveLength(50)
    expect(await slowly.list()).toHaveLength(50)
    expect(await look()).toMatchObject({ waiting: 0 })
    expect(library.collection('webhookDeliveries').size).toBe(100)
  })

  test('sends one message by hand at a time, and no test again', async ({
    at: { owner, add, pass },
  }) => {
    const gate = Promise.withResolvers<undefined>()
    const receiver = await aReceiver(() => ({ status: 500, after: gate.promise }))
    const { path, list } = await add(receiver.url)
    const sending = owner.webhooks.test(path)
    await expect.poll(() => receiver.got.length).toBe(1)
    await expect(owner.webhooks.test(path)).rejects.toMatchObject({ code: 'in_progress' })
    gate.resolve(undefined)
    expect((await sending).delivery).toMatchObject({
      event: 'test',
      state: 'failed',
      next_try_at: null,
    })
    await pass(DAY)
    expect(receiver.got).toHaveLength(1)
    expect(await list()).toHaveLength(1)
  })

  test('beyond 5,000 or 5 MB that wait is sent by hand', async ({
    server,
    at: { id, owner, add, post, pass },
  }) => {
    const receiver = await aReceiver(() => ({ status: 500 }))
    const { path, list, look } = await add(receiver.url)
    await post()
    await pass(0)
    const { library } = server.inside
    const deliveries = library.collection('webhookDeliveries')
    const waiting = deliveries.get((await list())[0]!.delivery_id)!
    await library.transact((tx) => {
      for (let n = 1; n < 5000; n++)
        tx.put(deliveries, `waiting-${n}`, { ...waiting, id: `waiting-${n}`, number: -n })
    })
    await post()
    const [left] = await list()
    expect(left).toMatchObject({ state: 'failed', tries: 0, next_try_at: null })
    expect(left?.last_try?.error).toBe('Not sent: 5,000 messages of yours wait already')
    expect(await look()).toMatchObject({ waiting: 5000 })
    const longPost = { id: 'long', content: '€'.repeat(2000) }
    const long = { ...waiting, happening: { ...waiting.happening, post: longPost } }
    await library.transact((tx) => {
      for (let n = 1; n < 5000; n++) {
        tx.delete(deliveries, `waiting-${n}`)
        if (n < 900)
          tx.put(deliveries, `long-post-${n}`, { ...long, id: `long-post-${n}`, number: -n })
      }
    })
    await post()
    const [leftBySize] = await list()
    expect(leftBySize?.last_try?.error).toBe('Not sent: 5 MB of messages of yours wait already')
    expect(await look()).toMatchObject({ waiting: 900 })
    receiver.answer = () => ({})
    await owner.webhooks.sendAgain({ ...path, deliveryId: leftBySize!.delivery_id })
    expect((await list())[0]).toMatchObject({ state: 'delivered' })
    await owner.webhooks.remove({ id, webhookId: path.webhookId })
    expect(deliveries.size).toBe(0)
  })
})
