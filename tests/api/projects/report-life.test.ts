import { expect } from 'vitest'
import { aBeta, send } from '../../support/reports'
import { aProject } from '../../support/world/factories'
import { test as base } from '../../support/world/http'
import { DAY } from '../../support/world/test-clock'
import { upload } from '../../support/world/upload'

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
