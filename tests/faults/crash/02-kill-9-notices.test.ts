import { expect, onTestFinished, test } from 'vitest'
import { aMailServer, linkIn } from '../../support/mail/mail-server'
import { aBrowser, aPushService } from '../../support/mail/push-service'
import { tempDir } from '../../support/system/temp-dir'
import { clientAt, register, startHost } from '../../support/world/place'
import { Host } from '../../support/world/process'
import { join } from 'node:path'
import { mkdir, writeFile } from 'node:fs/promises'

const ROUNDS = 3

test('2: kill -9 with mails on their way: each arrives, a second time only with its id', async () => {
  const dir = join(await tempDir(), 'data')
  await mkdir(dir, { mode: 0o700 })
  // Each first mail of a round is taken, and acknowledged when its host has gone.
  let isHanging = false
  const gone = Promise.withResolvers<undefined>()
  onTestFinished(() => gone.resolve(undefined))
  const mail = await aMailServer({ after: () => (isHanging ? gone.promise : undefined) })
  await writeFile(join(dir, 'settings.json'), JSON.stringify(mail.settings), { mode: 0o600 })

  let host = await startHost(dir)
  let place = await register(host)
  const { project } = await clientAt(place).projects.create({ title: 'Lantern' })
  const { project_id: id } = project
  const { url } = await clientAt(place).testers.create({ id, name: 'Berlin' })
  const door = new URL(url).pathname

  const sent = await fetch(`${host.url}${door}/reports`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'It crashes.' }),
  })
  const page = new URL(((await sent.json()) as { url: string }).url).pathname
  const post = (path: string, body: object) =>
    fetch(host.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'manual',
    })
  await post(`${page}/subscribers`, { email: 'kim@example.org' })
  await expect.poll(() => mail.got.length).toBe(1)
  await post(`${linkIn(mail.got[0]!, '/n/')}/confirm`, {})
  const [report] = (await clientAt(place).reports.list({ id })).reports

  for (let round = 0; round < ROUNDS; round++) {
    isHanging = true
    const before = mail.got.length
    await clientAt(place).reports.reply({ id, reportId: report!.report_id, text: `Round ${round}` })
    await expect.poll(() => mail.got.length).toBeGreaterThan(before)
    await host.kill()
    isHanging = false
    host = await Host.start(dir)
    place = { ...place, url: host.url }
    await expect.poll(() => mail.got.length, { timeout: 20_000 }).toBeGreaterThan(before + 1)
  }

  const answers = mail.got.slice(1)
  const ids = new Map(
    answers.map(({ headers, text }) => [/Round \d/.exec(text)?.[0], headers.get('message-id')]),
  )
  expect([...ids.keys()]).toEqual(['Round 0', 'Round 1', 'Round 2'])
  for (const { headers, text } of answers)
    expect(headers.get('message-id')).toBe(ids.get(/Round \d/.exec(text)?.[0]))
  expect(answers).toHaveLength(2 * ROUNDS)
})

test('2: kill -9 with messages to browsers on their way: each arrives, twice under one name', async () => {
  const dir = join(await tempDir(), 'data')
  await mkdir(dir, { mode: 0o700 })
  const networks = JSON.stringify({ webhook_networks: ['127.0.0.1'] })
  await writeFile(join(dir, 'settings.json'), networks, { mode: 0o600 })
  // Each first message of a round is taken, and acknowledged when its host has gone.
  const gone = Promise.withResolvers<undefined>()
  onTestFinished(() => gone.resolve(undefined))
  const service = await aPushService()
  const authority = join(dir, '..', 'authority.pem')
  await writeFile(authority, service.certificate)
  const options = { under: ['env', `NODE_EXTRA_CA_CERTS=${authority}`] }

  let host = await Host.start(dir, options)
  let place = await register(host)
  const { project } = await clientAt(place).projects.create({ title: 'Lantern' })
  const { project_id: id } = project
  const { url } = await clientAt(place).testers.create({ id, name: 'Berlin' })
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    return (await (await fetch(host.url + path, init)).json()) as { url?: string }
  }
  const sent = await post(`${new URL(url).pathname}/reports`, { text: 'It crashes.' })
  const kim = aBrowser(`${service.url}/send/kim`)
  await post(`${new URL(sent.url ?? '').pathname}/push`, kim.subscription)
  const [report] = (await clientAt(place).reports.list({ id })).reports

  for (let round = 0; round < ROUNDS; round++) {
    service.answer = () => ({ after: gone.promise })
    const before = service.got.length
    await clientAt(place).reports.reply({ id, reportId: report!.report_id, text: `Round ${round}` })
    await expect.poll(() => service.got.length).toBeGreaterThan(before)
    await host.kill()
    service.answer = () => ({})
    host = await Host.start(dir, options)
    place = { ...place, url: host.url }
    await expect.poll(() => service.got.length, { timeout: 20_000 }).toBe(before + 2)
  }

  const shown = service.got.map((it) => kim.read(it)).map(({ text, tag }) => [text, tag])
  expect(shown.map(([text]) => text)).toEqual(
    Array.from({ length: ROUNDS }, (_, round) => [`Round ${round}`, `Round ${round}`]).flat(),
  )
  expect(new Set(shown.map(([, tag]) => tag)).size).toBe(ROUNDS)
  // Both have one topic, so that a browser that is off gets one of them.
  expect(new Set(service.got.map(({ headers }) => headers['topic'])).size).toBe(ROUNDS)
  await host.stop()
})
