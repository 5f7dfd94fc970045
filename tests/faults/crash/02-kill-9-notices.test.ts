import { expect, onTestFinished, test } from 'vitest'
import { aMailServer, linkIn } from '../../support/mail/mail-server'
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
