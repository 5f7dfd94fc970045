import { gzipSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { metadata, TusClient } from '../../support/network/tus'
import { aPicture, pngChunk } from '../../support/pictures'
import { aBeta, pageOf, send } from '../../support/reports'
import { test as base } from '../../support/world/http'
import { DAY, SECOND } from '../../support/world/test-clock'
import type { TestServer } from '../../support/world/test-server'
import { MB } from '../../../server/contract/limits'
import { verify } from '../../../server/data/repair/verify'

const PLACE = 'Exif 51.4778N 0.0015W'
/** A picture that says where it was taken, with a script behind its end. */
const PHOTO = Buffer.concat([
  aPicture({ width: 40, chunks: [pngChunk('tEXt', Buffer.from(`Comment\0${PLACE}`))] }),
  Buffer.from('<script>alert(1)</script>'),
])

/** A project of alice's with a tester link and a release, and what its testers do. */
const test = base.extend<{ at: Awaited<ReturnType<typeof aBeta>> }>({
  at: async ({ server }, use) => use(await aBeta(server)),
})

const post = (server: TestServer, path: string, fields: Record<string, string>) =>
  server.fetch(path, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })

const tusOf = (server: TestServer, page: string) =>
  new TusClient((to, init) => server.fetch(to.replace(/^\/api/, page), init))

const named = (filename: string) => ({ 'upload-metadata': metadata({ filename }) })

/*
 * Bad input of reports, and where it is tested: many from one network, quota in the middle of a
 * file, release deleted underneath, foreign keys, project in the trash and back, two answers at
 * once, `javascript:` in an answer, cells that begin with `=`, ended links, half a session of a
 * link, text and picture bombs, SVG, HTML, polyglots, long and hostile names: here. Crashes between
 * file and record: faults/crash/02-kill-9-reports. Backups: faults/host/25-reports-and-requests.
 */
describe('reports.sendAsTester, reports.list, reports.get, reports.file', () => {
  test('47: bring text, pictures without metadata and logs to the team, and to nobody else', async ({
    server,
    bob,
    at: { alice, door, id, list, newest, owner },
  }) => {
    const form = await server.fetch(`${door}/report`, {
      headers: { 'user-agent': 'Mozilla/5.0 (Android 14; Mobile; rv:145.0) Firefox/145.0' },
    })
    expect(await form.text()).toMatch(/Android 14.*Firefox 145/s)

    const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'
    // 10 MB of zeros: opened nowhere.
    const bomb = gzipSync(Buffer.alloc(10 * MB))
    const log = '<script>alert(1)</script>'
    const page = await pageOf(server, door, {
      fields: { kind: 'idea', from: 'Kim', version: '1.4.0' },
      files: [
        ['../../level\u202E3.PNG', PHOTO],
        ['log.html', log],
        ['empty.log', ''],
        [`${'n'.repeat(300)}.svg`, svg],
        ['log.gz', bomb],
      ],
    })
    expect(page).toMatch(/^\/r\/[\w-]{22}$/)
    expect(await list()).toMatchObject({
      reports: [{ kind: 'idea', from: 'Kim', tester: 'Berlin', version: '1.4.0', attachments: 4 }],
      by_state: { new: 1, open: 0 },
      by_version: [{ version: '1.4.0', reports: 1, fixed: 0 }],
    })

    const endless = [[`${'n'.repeat(10_000)}.log`, log]] as const
    const refused = await send(server, door, { files: endless, headers: { accept: '*/*' } })
    expect([refused.status, (await list()).total]).toEqual([400, 1])

    const report = await newest()
    const named = (start: string) => report.attachments.find((it) => it.filename.startsWith(start))
    // Their order is that in which their drafts began.
    const [picture, other] = [named('level3'), named('log.html')]
    const [drawing, packed] = [named('nnn'), named('log.gz')]
    expect(drawing).toMatchObject({ is_picture: false, size: svg.length })
    expect(drawing?.filename.length).toBeLessThan(256)
    expect(packed?.size).toBe(bomb.length)
    expect(picture).toMatchObject({ filename: 'level3.webp', is_picture: true })
    const address = (attachmentId = '') =>
      `/api/projects/${id}/reports/${report.report_id}/files/${attachmentId}`

    const ownerFetch = server.fetchAs(alice)
    const drawn = await ownerFetch(address(picture?.attachment_id))
    const bytes = Buffer.from(await drawn.arrayBuffer())
    expect([drawn.headers.get('content-type'), bytes.toString('latin1').slice(8, 12)]).toEqual([
      'image/webp',
      'WEBP',
    ])
    expect(bytes.includes('Exif') || bytes.includes('script')).toBe(false)

    const raw = await ownerFetch(address(other?.attachment_id))
    expect(await raw.text()).toBe(log)
    expect(raw.headers.get('content-type')).toBe('application/octet-stream')
    expect(raw.headers.get('content-disposition')).toMatch(/^attachment/)
    expect(raw.headers.get('content-security-policy')).toContain('sandbox')

    for (const path of [address(other?.attachment_id), `/api/projects/${id}/reports`])
      expect((await server.fetch(path)).status).toBe(401)
    await expect(server.as(bob).reports.list({ id })).rejects.toMatchObject({ code: 'forbidden' })
    expect((await owner.files.mine({})).total).toBe(1)
  })

  test('47: answer a program with the address of the page, once for each key', async ({
    server,
    at: { door, list },
  }) => {
    const key = 'k'.repeat(22)
    const body = JSON.stringify({ text: 'Boom', kind: 'crash', system: 'Plan 9', key })
    const once = () =>
      server.fetch(`${door}/reports`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      })
    const replies = await Promise.all([once(), once(), once()])
    for (const reply of replies) {
      expect(reply.status).toBe(201)
      expect(await reply.json()).toMatchObject({ url: expect.stringMatching(/\/r\/k{22}$/) })
    }
    const { reports } = await list()
    expect(reports).toMatchObject([{ kind: 'crash', device: { system: 'Plan 9' } }])
  })

  test('47: keep the text when a picture cannot be read', async ({
    server,
    at: { door, newest },
  }) => {
    const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')
    const bomb = aPicture({ width: 8, claimed: { width: 60_000, height: 60_000 } })
    for (const [name, bytes] of [
      ['photo.heic', heic],
      ['bomb.png', bomb],
    ] as const) {
      server.clock.advance(SECOND)
      const page = await pageOf(server, door, { files: [[name, bytes]], fields: { from: name } })
      expect(page).toMatch(/\?problem=\w+$/)
      expect(await (await server.fetch(page)).text()).toContain('could not be read')
      expect(await newest()).toMatchObject({ from: name, attachments: [] })
    }
  })
})

describe('reports.reply, reports.update, reports.answer', () => {
  test('47: show the reporter the answers and the version that fixes it', async ({
    server,
    at: { door, id, newest, owner },
  }) => {
    const page = await pageOf(server, door, { fields: { text: '<b>Boom</b>', version: '1.4.0' } })
    const reportId = (await newest()).report_id
    const text = '[Try](javascript:alert(1))'
    const { report } = await owner.reports.reply({ id, reportId, text })
    expect(report).toMatchObject({ state: 'open', replies: [{ username: 'alice', text }] })

    expect((await post(server, `${page}/replies`, { text: 'Still there' })).status).toBe(302)
    expect(await newest()).toMatchObject({ is_waiting: true, replies: [{}, { username: null }] })

    expect((await owner.projects.byId({ id })).project.open_reports).toBe(1)
    await owner.reports.update({ id, reportId, state: 'fixed', fixed_in: '1.4.0' })
    expect((await owner.projects.byId({ id })).project.open_reports).toBe(0)
    const counted = await owner.releases.byVersion({ id, version: '1.4.0' })
    expect(counted.release.reports).toEqual({ total: 1, fixed: 1 })
    const seen = await server.visitor().releases.byVersion({ id, version: '1.4.0' })
    expect(seen.release.reports).toBeNull()
    const shown = await (await server.fetch(page)).text()
    expect(shown).toMatch(/Fixed in 1\.4\.0.*href="\/p\/rocket\/releases\/1\.4\.0"/s)
    expect(shown).toContain('&lt;b&gt;Boom&lt;/b&gt;')
    expect(shown).toContain(text)
    expect(shown).not.toContain('href="javascript')

    await owner.projects.unlink({ id, downloadId: counted.release.files[0]?.file_id ?? '' })
    expect(await (await server.fetch(page)).text()).not.toContain('/releases/1.4.0')
    await owner.reports.update({ id, reportId, state: 'open', fixed_in: '1.4.0' })
    expect(await newest()).toMatchObject({ state: 'open', fixed_in: null, version: '1.4.0' })
  })

  test('47: take two answers at once, and 50 in all', async ({
    server,
    at: { door, id, ...at },
  }) => {
    const page = await pageOf(server, door)
    const reportId = (await at.newest()).report_id
    const answers = ['One', 'Two'].map((text) => at.owner.reports.reply({ id, reportId, text }))
    await Promise.all(answers)
    for (let more = 0; more < 48; more++) await post(server, `${page}/replies`, { text: 'More' })
    expect((await post(server, `${page}/replies`, { text: 'More' })).status).toBe(403)
    expect((await at.newest()).replies).toHaveLength(50)
  })
})

describe('reports.addFile, reports.startUpload, reports.append, reports.uploadInfo, reports.discard', () => {
  test('47: bring large files by tus, up to five in all', async ({
    server,
    at: { door, newest },
  }) => {
    const page = await pageOf(server, door)
    const client = tusOf(server, page)
    const upload = await client.begin(PHOTO.length, named(`${'a'.repeat(251)}.png`))
    await client.patch(upload, 0, PHOTO.subarray(0, 50))
    expect((await client.head(upload)).headers.get('upload-offset')).toBe('50')
    const patched = await client.patch(upload, 50, PHOTO.subarray(50))
    expect([patched.status, await patched.text()]).toEqual([204, ''])

    const body = new FormData()
    body.set('file', new Blob(['trace']), 'trace.log')
    const added = await server.fetch(`${page}/files`, { method: 'POST', body, redirect: 'manual' })
    expect(added.status).toBe(302)
    expect((await newest()).attachments).toMatchObject([
      { filename: `${'a'.repeat(250)}.webp`, is_picture: true },
      { filename: 'trace.log', is_picture: false },
    ])

    // Unfinished uploads hold their places.
    const waiting = [1, 2, 3].map(() => client.begin(5, named('../more.log')))
    const [last = ''] = (await Promise.all(waiting)).slice(-1)
    expect((await client.create(5, named('sixth.log'))).status).toBe(403)
    expect((await client.discard(last)).status).toBe(204)
    expect((await client.create(5, named('sixth.log'))).status).toBe(201)
  })

  test('47: refuse what exceeds the room of the owner, in the middle of a file too', async ({
    server,
    at: { door, id, owner, list },
  }) => {
    await owner.reports.configure({ id, reporters: 'testers', room: MB })
    const page = await pageOf(server, door)
    const client = tusOf(server, page)
    expect((await client.create(2 * MB, named('dump.bin'))).status).toBe(403)

    const form = await send(server, door, {
      files: [
        ['a.log', 'a'.repeat(600_000)],
        ['b.log', 'b'.repeat(600_000)],
      ],
      headers: { accept: '*/*' },
    })
    const { error, code } = (await form.json()) as { error: string; code: string }
    expect([code, error]).toEqual(['quota_exceeded', expect.not.stringMatching(/quota|storage/i)])
    expect(await list()).toMatchObject({ total: 1, settings: { room: MB } })

    // Texts count, too.
    const text = 'é'.repeat(5000)
    let refused = 0
    for (let sent = 0; sent < 110; sent++)
      refused += Number(
        (await send(server, door, { fields: { text }, headers: { accept: '*/*' } })).status === 403,
      )
    expect(refused).toBeGreaterThan(4)
    expect((await list()).settings.used).toBeLessThanOrEqual(MB)
  })

  test('47: take no room from texts before they have arrived', async ({
    server,
    at: { door, id, owner },
  }) => {
    await owner.reports.configure({ id, reporters: 'testers', room: MB })
    const reporter = tusOf(server, await pageOf(server, door))
    const upload = await reporter.begin(MB - 100, named('slow.bin'))

    const page = await pageOf(server, door, { fields: { text: 'é'.repeat(5000) } })
    await post(server, `${page}/replies`, { text: 'é'.repeat(2000) })
    expect(await (await server.fetch(page)).text()).toContain('é'.repeat(2000))

    // Its address is a secret of the reporter.
    const info = owner.uploads.info({ id: upload.slice(upload.lastIndexOf('/') + 1) })
    await expect(info).rejects.toMatchObject({ code: 'not_found' })
  })
})

/** What takes no reports, and must not tell why. */
const closed: Record<
  string,
  (server: TestServer, at: Awaited<ReturnType<typeof aBeta>>) => unknown
> = {
  expired: (server) => server.clock.advance(40 * DAY),
  revoked: (_server, { owner, id, tester }) =>
    owner.testers.revoke({ id, testerId: tester.tester_id }),
  'of a project in the trash': (_server, { owner, id }) => owner.projects.remove({ id }),
}

describe('reports.sendAsVisitor, reports.configure', () => {
  test.for(Object.keys(closed))(
    'a link %s answers as one that never was',
    async (name, { server }) => {
      const at = await aBeta(server)
      await closed[name]!(server, at)
      const ask = async (door: string) => {
        const reply = await send(server, door, { headers: { accept: '*/*' } })
        const page = await server.fetch(`${door}/report`)
        return [reply.status, await reply.text(), page.status]
      }
      expect(await ask(at.door)).toEqual(await ask('/t/nosuchtokennosuchtoken'))
    },
  )

  test('47: let visitors report where the owner lets everyone, and nobody where they are off', async ({
    server,
    at: { door, id, owner, project },
  }) => {
    const publicDoor = `/p/${project.slug}`
    const status = async (at: string) => [
      (await send(server, at, { headers: { accept: '*/*' } })).status,
      (await server.fetch(`${at}/report`)).status,
    ]
    expect([await status(publicDoor), await status(door)]).toEqual([
      [404, 404],
      [201, 200],
    ])
    await owner.reports.configure({ id, reporters: 'everyone' })
    expect(await status(publicDoor)).toEqual([201, 200])
    expect((await server.visitor().projects.byId({ id })).project.takes_reports).toBe(true)

    await owner.reports.configure({ id, reporters: 'off' })
    expect([await status(publicDoor), await status(door)]).toEqual([
      [404, 404],
      [404, 404],
    ])
  })
})

describe('reports.remove', () => {
  test('47: removes a report with its bytes; those of a trashed project come back with it', async ({
    server,
    at: { alice, door, id, list, newest, owner },
  }) => {
    const { blobs, projects, trash } = server.inside
    const page = await pageOf(server, door, { files: [['a.log', 'one']] })
    await owner.projects.remove({ id })
    expect((await server.fetch(page)).status).toBe(404)
    await server.inside.tidy()
    await owner.trash.restore({ id })
    expect((await server.fetch(page)).status).toBe(200)
    expect(projects.find(id)?.ownerId).toBe(alice.id)
    expect((await verify(server.dataDir, { readData: true, ...server.stored })).problems).toEqual(
      [],
    )

    await owner.reports.remove({ id, reportId: (await newest()).report_id })
    expect((await server.fetch(page)).status).toBe(404)
    expect((await list()).total).toBe(0)

    await send(server, door, { files: [['b.log', 'two']] })
    const [report] = server.inside.library.collection('reports').values()
    const blobId = report?.attachments[0]?.blobId ?? ''
    expect(await blobs.find(blobId)).toBeDefined()
    await owner.projects.remove({ id })
    await owner.trash.remove({ id })
    expect(trash.holdsBlob(blobId)).toBe(false)
    expect(server.inside.library.collection('reports').size).toBe(0)
    await expect.poll(() => blobs.find(blobId)).toBeUndefined()
  })
})

describe('reports.csv', () => {
  test('47: writes a table whose cells run nothing', async ({
    server,
    at: { alice, door, id },
  }) => {
    await send(server, door, { fields: { text: '=1+1,"\nnext', from: '＠Kim' } })
    const table = await server.fetchAs(alice)(`/api/projects/${id}/reports.csv?state=new`)
    expect(table.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const text = await table.text()
    expect(text).toContain(`"'=1+1,""\nnext"`)
    expect(text).toContain(`"'＠Kim"`)
  })
})

test('47: webhooks hear of reports and answers of reporters', async ({
  server,
  at: { id, owner, door },
}) => {
  const events = ['report.created' as const, 'report.replied' as const]
  const { webhook } = await owner.webhooks.create({
    id,
    name: 'CI',
    url: 'http://127.0.0.1:9/',
    events,
  })
  const page = await pageOf(server, door, { fields: { from: 'Kim', version: '1.4.0' } })
  await post(server, `${page}/replies`, { text: 'Again' })
  const { deliveries } = await owner.webhooks.deliveries({ id, webhookId: webhook.webhook_id })
  expect(deliveries.map(({ summary }) => summary)).toEqual([
    'Kim answered in a report of Rocket',
    'Kim reported a problem of Rocket 1.4.0',
  ])
})

test.extend({ config: { rateLimits: true } })(
  'a network sends at most ten reports an hour, and a failed one does not count',
  async ({ server, at: { door } }) => {
    const statuses: number[] = []
    for (let sent = 0; sent < 12; sent++) {
      const fields = { text: sent === 3 ? ' ' : 'It crashes.' }
      statuses.push((await send(server, door, { fields, headers: { accept: '*/*' } })).status)
    }
    expect(statuses.filter((status) => status === 201)).toHaveLength(10)
    expect([statuses[3], statuses[11]]).toEqual([400, 429])
  },
)
