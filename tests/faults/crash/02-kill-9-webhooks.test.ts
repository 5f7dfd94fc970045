import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { aReceiver } from '../../support/webhooks/receiver'
import { Host } from '../../support/world/process'
import { clientAt, register, startHost } from '../../support/world/place'
import { tempDir } from '../../support/system/temp-dir'

const ROUNDS = 4

test('2: kill -9 with messages to a webhook: each arrives under one id, with a signature that others verify', async () => {
  const base = await tempDir()
  const dir = join(base, 'data')
  await mkdir(dir, { mode: 0o700 })
  await writeFile(join(dir, 'settings.json'), JSON.stringify({ webhook_networks: ['127.0.0.1'] }), {
    mode: 0o600,
  })
  // The first request hangs until its host is gone.
  const hanging = Promise.withResolvers<undefined>()
  const receiver = await aReceiver((_, count) => (count === 1 ? { after: hanging.promise } : {}))
  onTestFinished(() => hanging.resolve(undefined))

  let host = await startHost(dir)
  let place = await register(host)
  const { project } = await clientAt(place).projects.create({ title: 'Lantern' })
  const { project_id: id } = project
  const fields = { id, name: 'CI', url: receiver.url, events: ['post.created' as const] }
  const { secret } = await clientAt(place).webhooks.create(fields)
  for (let round = 0; round < ROUNDS; round++) {
    await clientAt(place).posts.add({ id, content: `News ${round}` })
    if (round === 0) await expect.poll(() => receiver.got.length).toBe(1)
    await host.kill()
    host = await Host.start(dir)
    place = { ...place, url: host.url }
  }

  const contents = () =>
    new Map(
      receiver.got.slice(1).map(({ headers, text }) => {
        const { data } = JSON.parse(text) as { data: { post: { content: string } } }
        return [data.post.content, headers['webhook-id']]
      }),
    )
  await expect.poll(() => contents().size, { timeout: 20_000 }).toBe(ROUNDS)
  const [first] = receiver.got
  expect(contents().get('News 0')).toBe(first?.headers['webhook-id'])
  expect(new Set(receiver.got.map(({ headers }) => headers['webhook-id'])).size).toBe(ROUNDS)

  const verifier = new Webhook(secret ?? '')
  for (const { headers, text } of receiver.got) {
    const signed = headers as Record<string, string>
    expect(verifier.verify(text, signed)).toMatchObject({ type: 'post.created' })
    expect(() => verifier.verify(text.replace('News', 'Lies'), signed)).toThrow(
      'No matching signature',
    )
  }
})
