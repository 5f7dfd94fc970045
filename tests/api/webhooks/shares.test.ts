import { expect } from 'vitest'
import { aRudeServer } from '../../support/network/rude-server'
import { aPost, aProject, aUser } from '../../support/world/factories'
import { aReceiver } from '../../support/webhooks/receiver'
import { test as base } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

const test = base.extend({ settings: { webhook_networks: ['127.0.0.0/8'] } })

/** A project of a new account, with webhooks that tell this address of posts. */
async function aTeller(server: TestServer, name: string, url: string, count = 1) {
  const owner = await aUser(server, name)
  const project = await aProject(server, owner, { title: name })
  const { webhooks } = server.as(owner)
  for (let n = 0; n < count; n++)
    await webhooks.create({ id: project.project_id, name: `${n}`, url, events: ['post.created'] })
  return {
    post: () => aPost(server, owner, project),
    deliveries: async () => {
      const { webhooks: all } = await webhooks.list({ id: project.project_id })
      const paths = all.map(({ webhook_id: webhookId }) => ({ id: project.project_id, webhookId }))
      return (await Promise.all(paths.map((path) => webhooks.deliveries(path)))).flatMap(
        (it) => it.deliveries,
      )
    },
  }
}

test('silent receivers of others delay no message, nor the host’s end', async ({ server }) => {
  const receiver = await aReceiver()
  const silent = await aRudeServer('')
  const honest = await aTeller(server, 'alice', receiver.url)
  await honest.post()
  await expect.poll(() => receiver.got).toHaveLength(1)

  for (let n = 0; n < 6; n++) await (await aTeller(server, `silent-${n}`, silent.url, 5)).post()
  await expect.poll(() => silent.sockets.size).toBe(16)
  await honest.post()
  await expect.poll(() => receiver.got).toHaveLength(2)
  expect(silent.sockets.size).toBe(16)

  await server.close()
  expect(
    [...silent.sockets].filter((socket) => !socket.readableEnded && !socket.destroyed),
  ).toEqual([])
})

test('a receiver that switches protocols has refused the message', async ({ server }) => {
  const receiver = await aRudeServer('HTTP/1.1 101 Switching Protocols\r\n\r\n')
  const { post, deliveries } = await aTeller(server, 'alice', receiver.url, 2)
  await post()
  const refused = {
    state: 'waiting',
    last_try: { error: expect.stringContaining('closed the connection') as string },
  }
  await expect.poll(deliveries).toMatchObject([refused, refused])
})
