import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aMailServer, linkIn } from '../../support/mail/mail-server'
import { send } from '../../support/reports'
import { tempDir } from '../../support/system/temp-dir'
import { clientAt, register, startHost } from '../../support/world/place'
import { Host, slipway } from '../../support/world/process'

/** A host, from whose backup another comes, and whose own library is then lost and rebuilt. */
async function aHostTwice(settings: object = {}) {
  const base = await tempDir()
  const data = join(base, 'data')
  const backups = join(base, 'backups')
  const restored = join(base, 'restored')
  await mkdir(data, { mode: 0o700 })
  await writeFile(join(data, 'settings.json'), JSON.stringify(settings), { mode: 0o600 })
  const host = await Host.start(data)

  return {
    host,
    client: clientAt(await register(host)),
    backUp: async () => expect((await slipway('backup', backups, '--data', data)).code).toBe(0),
    /** Stops the host, and returns what the restore says. */
    restore: async () => {
      await host.stop()
      const { code, output } = await slipway('restore', backups, '--data', restored)
      expect(code, output).toBe(0)
      for (const name of (await readdir(data)).filter((it) => it.startsWith('library.')))
        await rm(join(data, name))
      expect(await slipway('rebuild', '--data', data)).toMatchObject({ code: 0 })
      return output
    },
    /** Verifies and starts both. */
    inBoth: async (look: (url: string, isRestored: boolean) => Promise<void>) => {
      for (const dir of [restored, data]) {
        const verdict = await slipway('verify', '--read-data', '--data', dir)
        expect(verdict.code, verdict.output).toBe(0)
        const next = await startHost(dir)
        await look(next.url, dir === restored)
        await next.stop()
      }
    },
  }
}

test('25: a restored backup and a rebuilt library have the reports, their files and the pages of reporters', async () => {
  const { host, client, backUp, restore, inBoth } = await aHostTwice()
  const { testers, projects } = client
  const { project_id: id } = (await projects.create({ title: 'Rocket' })).project
  const { url, tester } = await testers.create({ id, name: 'Berlin' })
  const door = new URL(url).pathname
  const fetchHere = (to: string, init?: RequestInit) => fetch(host.url + to, init)
  const key = 'k'.repeat(22)
  await send({ fetch: fetchHere }, door, { fields: { key }, files: [['a.log', 'trace']] })
  await testers.revoke({ id, testerId: tester.tester_id })
  await backUp()
  await restore()

  await inBoth(async (origin) => {
    const page = await (await fetch(`${origin}/r/${key}`)).text()
    expect(page).toContain('It crashes.')
    expect(page).toContain('a.log')
    expect((await fetch(origin + door)).status).toBe(404)
  })
})

test('25: a restored backup has requests and subscriptions, and says which may have ended since', async () => {
  const mail = await aMailServer()
  const { host, client, backUp, restore, inBoth } = await aHostTwice(mail.settings)
  const { projects, accessRequests } = client
  const { project } = await projects.create({ title: 'Rocket', is_public: true })
  const id = project.project_id
  await accessRequests.configure({ id, is_open: true })
  const post = (path: string, fields: Record<string, string> = {}) =>
    fetch(host.url + path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { 'sec-fetch-site': 'same-origin' },
      redirect: 'manual',
    })
  const asked = (await (await post(`/p/${id}/requests`, { name: 'Kim' })).json()) as { url: string }
  const door = new URL(asked.url).pathname
  await post(`${door}/subscribers`, { email: 'kim@example.org' })
  await expect.poll(() => mail.got.length).toBe(1)
  const own = linkIn(mail.got[0]!, '/n/')
  await post(`${own}/confirm`)
  await backUp()
  await post(`${own}/end`)
  await post(`${door}/withdraw`)

  expect(await restore()).toContain(
    '1 address or browser subscribed to notices at the time of this backup',
  )
  await inBoth(async (origin, isRestored) => {
    const [page, subscription] = await Promise.all([fetch(origin + door), fetch(origin + own)])
    expect([page.status, subscription.status]).toEqual(isRestored ? [200, 200] : [404, 404])
  })
  expect(mail.got).toHaveLength(1)
})
