import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { aProject, clientOf, logIn } from '../../support/world/page'
import {
  aLargeFile,
  beginUpload,
  comeBack,
  expect,
  expectArrived,
  expectHeld,
  HELD_AFTER,
  LARGE,
  test,
  CHUNK,
  watchOffsets,
} from '../support/upload-world'
import { choose, startUpload } from '../support/uploading'

test('resumes a paused upload at the host’s offset, not from the start', async ({
  page,
  alice,
  line,
}, testInfo) => {
  const file = await aLargeFile(testInfo, 'lantern.apk')
  await page.goto('/my-files')
  await beginUpload(page, line, file)
  await page.getByRole('button', { name: 'Pause lantern.apk' }).click()
  await expect(page.getByText(/^Paused · \d+\.\d\d [KM]B of 2\.00 MB/)).toBeVisible()
  const [paused] = (await alice.uploads.list({})).uploads
  line.toHost.open()
  const offsets = watchOffsets(page)
  await page.getByRole('button', { name: 'Resume lantern.apk' }).click()
  await expect(page.getByText('File uploaded successfully!')).toBeVisible()
  expect(Math.min(...offsets)).toBeGreaterThanOrEqual(paused?.offset ?? Infinity)
  expect(Math.min(...offsets)).toBeGreaterThan(0)
  await expectArrived(alice, file)
})

test('after a reload, refuses another file, and resumes with the same one', async ({
  page,
  alice,
  line,
}, testInfo) => {
  const file = await aLargeFile(testInfo, 'lantern.apk')
  const { project_id } = await aProject(alice, 'Lantern')
  await page.goto('/my-files')
  line.toHost.holdAfter(HELD_AFTER)
  await choose(page, file.path)
  await page.getByRole('combobox', { name: 'Add to project' }).click()
  await page.getByRole('listbox').getByRole('option', { name: 'Lantern' }).click()
  await page.getByText('Version and platform').click()
  await page.getByRole('combobox', { name: 'Version' }).fill('2.0.0')
  await page.getByRole('radio', { name: 'Anyone with the link' }).check()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  const publishing = page.getByRole('dialog', { name: /^Publishing / })
  await publishing.getByRole('button', { name: 'Close', exact: true }).last().click()
  await expectHeld(page, line)
  await expect.poll(async () => (await alice.uploads.list({})).uploads[0]?.version).toBe('2.0.0')
  await comeBack(page, line)

  const unfinished = page.getByRole('region', { name: 'Unfinished uploads' })
  await expect(unfinished.getByText(/[KM]B of 2\.00 MB on the host · kept until/)).toBeVisible()
  await writeFile(testInfo.outputPath('other.apk'), randomBytes(LARGE))
  const resumeWith = async (path: string) => {
    const chooser = page.waitForEvent('filechooser')
    await unfinished.getByRole('button', { name: 'Resume lantern.apk' }).click()
    await (await chooser).setFiles(path)
  }
  await resumeWith(testInfo.outputPath('other.apk'))
  await expect(unfinished.getByRole('alert')).toContainText(
    'That is not the file whose upload was interrupted.',
  )

  const offsets = watchOffsets(page)
  await resumeWith(file.path)
  await expect(page.getByText('File uploaded and added to project!')).toBeVisible()
  expect(Math.min(...offsets)).toBeGreaterThan(CHUNK)
  await expectArrived(alice, file)
  const { project } = await alice.projects.byId({ id: project_id })
  expect(project.downloads).toMatchObject([
    { filename: 'lantern.apk', version: '2.0.0', platform: 'Android' },
  ])
  expect((await alice.files.mine({ visibility: 'public' })).total).toBe(1)
})

test('an interrupted connection costs nothing but time', async ({
  page,
  alice,
  host,
  line,
  complaints,
}, testInfo) => {
  const file = await aLargeFile(testInfo, 'lantern.apk')
  await page.goto('/my-files')
  const offsets = watchOffsets(page)
  await beginUpload(page, line, file)
  const tries = offsets.length
  line.toHost.holdAfter(CHUNK / 2)
  line.cut()
  await expect.poll(() => offsets.length).toBeGreaterThan(tries)
  line.block()
  await expect(page.getByText(/^The host is unreachable/)).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Connection lost' })).toHaveCount(1)
  line.toHost.open()
  // An automatic retry waits for its answer, so that the button is still visible.
  line.toBrowser.holdAfter(0)
  line.leadTo(host.url)
  await page.getByRole('button', { name: 'Try now' }).click()
  line.toBrowser.open()
  await expect(page.getByText('File uploaded successfully!')).toBeVisible()
  expect(offsets.filter((offset) => offset === 0)).toHaveLength(1)
  await expectArrived(alice, file)
  complaints.length = 0
})

test('an ended session pauses the upload until sign-in', async ({
  page,
  line,
  host,
  complaints,
}, testInfo) => {
  const file = await aLargeFile(testInfo, 'lantern.apk')
  await page.goto('/my-files')
  const offsets = watchOffsets(page)
  await beginUpload(page, line, file)
  const { sessions, users } = host.inside
  await sessions.endAll(users.byName('alice')?.id ?? '')
  line.toHost.open()
  await expect(page).toHaveURL(/\/login$/, { timeout: 30_000 })
  await logIn(page)
  await expect(page).toHaveURL(/\/my-files$/)
  await expect(page.getByText('File uploaded successfully!')).toBeVisible({ timeout: 30_000 })
  expect(offsets.at(-1)).toBeGreaterThan(0)
  await expectArrived(await clientOf(host, 'alice'), file)
  complaints.length = 0
})

test('once all is sent the row says that the host verifies, at 90 %', async ({
  page,
  alice,
  line,
}, testInfo) => {
  const file = await aLargeFile(testInfo, 'lantern.apk', 2 * CHUNK)
  await page.goto('/my-files')
  line.toHost.holdAfter(HELD_AFTER)
  await choose(page, file.path)
  await startUpload(page)
  await expect.poll(() => line.toHost.isHolding).toBe(true)
  line.toBrowser.holdAfter(0)
  line.toHost.open()
  const row = page.getByRole('region', { name: 'Uploads' })
  await expect(row.getByText('Verifying: the host is checking and storing it…')).toBeVisible()
  await expect(row.getByText('90 %')).toBeVisible()
  await expect(row.getByRole('button', { name: 'Pause lantern.apk' })).toHaveCount(0)
  line.toBrowser.open()
  await expect(page.getByText('File uploaded successfully!')).toBeVisible()
  await expectArrived(alice, file)
})

test('a file that changes on disk in the middle is not published', async ({
  page,
  alice,
  line,
}, testInfo) => {
  const file = await aLargeFile(testInfo, 'lantern.apk')
  await page.goto('/my-files')
  await beginUpload(page, line, file)
  await writeFile(file.path, randomBytes(LARGE))
  line.toHost.open()
  await expect(page.getByRole('alert')).toContainText('lantern.apk was changed, moved or deleted', {
    timeout: 30_000,
  })
  expect((await alice.files.mine({})).total).toBe(0)
})
