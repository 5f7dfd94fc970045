import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { send } from '../../support/reports'
import { tempDir } from '../../support/system/temp-dir'
import { clientAt, register, startHost } from '../../support/world/place'
import { Host, slipway } from '../../support/world/process'

test('25: a restored backup and a rebuilt library have the reports, their files and the pages of reporters', async () => {
  const base = await tempDir()
  const [data, backups, restored] = ['data', 'backups', 'restored'].map((it) => join(base, it)) as [
    string,
    string,
    string,
  ]
  const host = await Host.start(data)
  const place = await register(host)
  const { testers, projects } = clientAt(place)
  const { project_id: id } = (await projects.create({ title: 'Rocket' })).project
  const { url, tester } = await testers.create({ id, name: 'Berlin' })
  const door = new URL(url).pathname
  const fetchHere = (to: string, init?: RequestInit) => fetch(host.url + to, init)
  const key = 'k'.repeat(22)
  await send({ fetch: fetchHere }, door, { fields: { key }, files: [['a.log', 'trace']] })
  await testers.revoke({ id, testerId: tester.tester_id })
  expect((await slipway('backup', backups, '--data', data)).code).toBe(0)
  await host.stop()

  expect(await slipway('restore', backups, '--data', restored)).toMatchObject({ code: 0 })
  for (const name of (await readdir(data)).filter((it) => it.startsWith('library.')))
    await rm(join(data, name))
  expect(await slipway('rebuild', '--data', data)).toMatchObject({ code: 0 })

  for (const dir of [restored, data]) {
    const verdict = await slipway('verify', '--read-data', '--data', dir)
    expect(verdict.code, verdict.output).toBe(0)
    const next = await startHost(dir)
    const page = await (await fetch(`${next.url}/r/${key}`)).text()
    expect(page).toContain('It crashes.')
    expect(page).toContain('a.log')
    expect((await fetch(next.url + door)).status).toBe(404)
    await next.stop()
  }
})
