import { expect, vi } from 'vitest'
import { randomBytes } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { metadata, TusClient } from '../../support/network/tus'
import { aPicture, pngChunk } from '../../support/pictures'
import { aBeta, pageOf, send } from '../../support/reports'
import { aProject } from '../../support/world/factories'
import { test as base } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { MB } from '../../../server/contract'
import { DAY } from '../../support/world/test-clock'
import { upload } from '../../support/world/upload'
import { ReportStore } from '../../../server/features/reports/report-store'

const test = base.extend<{ at: Awaited<ReturnType<typeof aBeta>> }>({
  at: async ({ server }, use) => use(await aBeta(server)),
})

test('a report takes a corrected text until the team reacts, and nothing for a key of another project', async ({
  server,
  at: { alice, door, id, owner, newest },
}) => {
  const key = 'k'.repeat(22)
  const say = (text: string, at = door) =>
    send(server, at, { fields: { text, key }, headers: { accept: '*/*' } })
  await say('It crashes.')
  expect((await say('It crashes at level 3.')).status).toBe(201)
  const { text, report_id: reportId } = await newest()
  expect(text).toBe('It crashes at level 3.')

  await owner.reports.reply({ id, reportId, text: 'Thanks' })
  expect((await say('It crashes at level 3.')).status).toBe(201)
  expect((await say('It crashes at level 4.')).status).toBe(400)

  const other = await aProject(server, alice, { title: 'Other' })
  const { url } = await owner.testers.create({ id: other.project_id, name: 'Rome' })
  expect((await say('Stolen', new URL(url).pathname)).status).toBe(400)
  expect((await newest()).text).toBe('It crashes at level 3.')
})

test('a report arrives that was written while the link ended, once for each form and for a day', async ({
  server,
  at: { door, id, owner, tester, newest },
}) => {
  const openForm = async () => {
    const form = await (await server.fetch(`${door}/report`)).text()
    const [, query = ''] = /action="[^"]*(\?form=[\w-]+)"/.exec(form) ?? []
    const [, key = ''] = /name="key" value="([^"]+)"/.exec(form) ?? []
    return { query, key }
  }
  const [one, two] = [await openForm(), await openForm()]
  await owner.testers.revoke({ id, testerId: tester.tester_id })

  const late = ({ query, key }: typeof one, text = 'Late') =>
    send(server, door, { query, fields: { text, key }, headers: { accept: '*/*' } })
  expect((await late({ ...one, key: two.key })).status).toBe(404)
  expect((await late(one)).status).toBe(201)
  expect((await late(one, 'Late, and again')).status).toBe(201)
  expect((await newest()).text).toBe('Late, and again')
  server.clock.advance(DAY)
  expect((await late(two)).status).toBe(404)
})

test('the page of a preview takes reports, which name its build', async ({
  server,
  at: { alice, id, owner, newest },
}) => {
  const file = await upload(server.fetchAs(alice), new File(['build'], 'rocket.apk'), {
    ...{ project_id: id, for_preview: 'true' },
  })
  const build = { name: 'pr-128', file_ids: [file.file_id], commit: '9c1185a0' }
  const { preview } = await owner.previews.put({ id, ...build })
  const door = new URL(preview.url ?? '').pathname
  expect(await (await server.fetch(door)).text()).toContain(`href="${door}/report"`)
  const version = 'pr-128 build 1 (9c1185a)'
  expect(await (await server.fetch(`${door}/report`)).text()).toContain(version)

  await send(server, door, { fields: { version } })
  expect(await newest()).toMatchObject({ version, tester: 'pr-128' })
})

test('files of closed reports are deleted after the days that the owner set, texts never', async ({
  server,
  at: { door, id, list, newest, owner },
}) => {
  const { blobs } = server.inside
  await send(server, door, { files: [['a.log', 'one']] })
  const [kept] = server.inside.library.collection('reports').values()
  const blobId = kept?.attachments[0]?.blobId ?? ''
  expect((await list()).settings.file_days).toBe(90)
  await owner.reports.configure({ id, reporters: 'testers', file_days: 30 })

  const { report_id: reportId } = await newest()
  server.clock.advance(40 * DAY)
  await server.inside.tidy()
  await owner.reports.update({ id, reportId, state: 'closed' })
  const end = new Date(server.clock.now().getTime() + 30 * DAY).toISOString()
  expect((await newest()).files_until).toBe(end)
  server.clock.advance(29 * DAY)
  await server.inside.tidy()
  expect((await newest()).attachments).toHaveLength(1)

  await owner.reports.configure({ id, reporters: 'testers', file_days: null })
  server.clock.advance(DAY)
  await server.inside.tidy()
  expect(await newest()).toMatchObject({ files_until: null, files_deleted: 0 })
  await owner.reports.configure({ id, reporters: 'testers', file_days: 30 })
  await server.inside.tidy()
  expect(await newest()).toMatchObject({ text: 'It crashes.', attachments: [], files_deleted: 1 })
  await expect.poll(() => blobs.find(blobId)).toBeUndefined()
})

test('files of a report that was closed while the clock was behind stay as long as others', async ({
  server,
  at: { door, id, newest, owner },
}) => {
  const page = await pageOf(server, door, { files: [['a.log', 'one']] })
  const { report_id: reportId } = await newest()
  server.clock.setClock(-1000 * DAY)
  await owner.reports.update({ id, reportId, state: 'closed' })
  server.clock.setClock(1000 * DAY)
  await server.inside.tidy()
  const { attachments, files_until } = await newest()
  expect(attachments).toHaveLength(1)

  server.clock.advance(DAY)
  const body = new URLSearchParams({ text: 'Still there' })
  await server.fetch(`${page}/replies`, { method: 'POST', body, redirect: 'manual' })
  expect(await newest()).toMatchObject({ replies: [{}], files_until })
})

test('nobody reports to a disabled owner: the page of the report would not open', async ({
  server,
  at: { alice, door, id, owner, project },
}) => {
  await owner.reports.configure({ id, reporters: 'everyone' })
  await server.inside.users.change(alice.id, { disabled: true })
  for (const at of [door, `/p/${project.slug}`])
    expect((await send(server, at, { headers: { accept: '*/*' } })).status).toBe(404)
  expect(server.inside.library.collection('reports').size).toBe(0)
})

/** Black and white dots, which are larger as WebP than as PNG. */
const NOISE = (() => {
  const dots = randomBytes(32)
  const rows = Array.from({ length: 256 }, (_, row) =>
    Buffer.concat([Buffer.alloc(1), dots.subarray(row % 16), dots.subarray(0, row % 16)]),
  )
  const plain = aPicture({ width: 256, depth: 1, kind: 0 })
  const header = plain.subarray(0, 33)
  const pixels = pngChunk('IDAT', deflateSync(Buffer.concat(rows)))
  return Buffer.concat([header, pixels, pngChunk('IEND', Buffer.alloc(0))])
})()

test('the pictures that are kept must fit into the room, not those that are sent', async ({
  server,
  at: { door, id, list, owner },
}) => {
  const page = await pageOf(server, door)
  await send(server, door, { files: [['noise.png', NOISE]] })
  const { used } = (await list()).settings
  expect(used).toBeGreaterThan(10 * NOISE.length)
  const room = MB
  await owner.reports.configure({ id, reporters: 'testers', room })
  await fillRoom(server, room - used - 2 * NOISE.length)
  const before = (await list()).total

  const form = await send(server, door, {
    files: [['noise.png', NOISE]],
    headers: { accept: '*/*' },
  })
  expect([form.status, (await list()).total]).toEqual([403, before])
  const body = new FormData()
  body.set('file', new Blob([new Uint8Array(NOISE)]), 'noise.png')
  const init = { method: 'POST', body, redirect: 'manual', headers: { accept: '*/*' } } as const
  expect((await server.fetch(`${page}/files`, init)).status).toBe(403)

  const client = new TusClient((to, more) => server.fetch(to.replace(/^\/api/, page), more))
  const filename = { 'upload-metadata': metadata({ filename: 'noise.png' }) }
  const at = await client.begin(NOISE.length, filename)
  expect((await client.patch(at, 0, NOISE)).status).toBe(403)
  expect((await list()).settings.used).toBeLessThanOrEqual(room)
})

test('the texts of strangers count in the share of the storage that they may use', async ({
  server,
  at: { alice, door },
}) => {
  await server.inside.users.change(alice.id, { tier: 'Free' })
  await send(server, door)
  await fillRoom(server, 50 * MB)
  expect((await send(server, door, { headers: { accept: '*/*' } })).status).toBe(403)
})

/** The longest text of a record. */
const MOST_TEXT = 200_000

/** Adds reports whose texts have so many bytes together. */
async function fillRoom({ inside: { library } }: TestServer, bytes: number): Promise<void> {
  const reports = library.collection('reports')
  const [report] = reports.values()
  await library.transact((tx) => {
    for (let left = bytes; left > 0; left -= MOST_TEXT) {
      const id = `filling-${left}`
      const text = 'x'.repeat(Math.min(left, MOST_TEXT))
      tx.put(reports, id, { ...report!, id, tokenHash: id, text, attachments: [] })
    }
  })
}

test('a list and a table of reports read each group once', async ({
  server,
  at: { alice, id, door, list },
}) => {
  for (let sent = 0; sent < 3; sent++) await send(server, door, { fields: { signature: 'NPE' } })
  const read = vi.spyOn(ReportStore.prototype, 'ofGroup')

  const group = { reports: 3 }
  expect((await list({ signature: 'NPE' })).reports).toMatchObject(Array(3).fill({ group }))
  expect(read).toHaveBeenCalledTimes(1)

  read.mockClear()
  const table = await server.fetchAs(alice)(`/api/projects/${id}/reports.csv`)
  expect((await table.text()).split('"NPE"')).toHaveLength(4)
  expect(read).not.toHaveBeenCalled()
  read.mockRestore()
})

test('10,000 reports are listed within a page', async ({ server, at: { id, door, list } }) => {
  await send(server, door)
  const { library } = server.inside
  const reports = library.collection('reports')
  const [first] = [...reports.values()]
  if (!first) throw new Error('The report has not arrived')
  await library.transact((tx) => {
    for (let more = 0; more < 10_000; more++) {
      const other = `report-${String(more).padStart(6, '0')}`
      tx.put(reports, other, { ...first, id: other, tokenHash: other, state: 'fixed' })
    }
  })
  expect(await list({ state: 'fixed', limit: 50, offset: 9990 })).toMatchObject({
    total: 10_000,
    by_state: { new: 1, fixed: 10_000 },
  })
  expect(id).toBe(first.projectId)
})
