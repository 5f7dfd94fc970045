import { aProject } from '../../support/world/page'
import {
  aLargeFile,
  CHUNK,
  comeBack,
  expect,
  expectArrived,
  expectHeld,
  HELD_AFTER,
  test,
  watchOffsets,
} from '../support/upload-world'
import { choose, startUpload } from '../support/uploading'

test('a file chosen again resumes, with its options or those chosen now', async ({
  page,
  alice,
  line,
}, testInfo) => {
  const file = await aLargeFile(testInfo, 'lantern.apk')
  const { project_id } = await aProject(alice, 'Lantern')
  await page.goto(`/projects/${project_id}`)
  line.toHost.holdAfter(HELD_AFTER)
  await choose(page, file.path)
  await page.getByText('Version and platform').click()
  await page.getByRole('combobox', { name: 'Version' }).fill('2.0.0')
  await page.getByRole('radio', { name: 'Anyone with the link' }).check()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  const publishing = page.getByRole('dialog', { name: 'Publishing Lantern' })
  await publishing.getByRole('button', { name: 'Close', exact: true }).last().click()
  await expectHeld(page, line)
  await expect.poll(async () => (await alice.uploads.list({})).uploads[0]?.version).toBe('2.0.0')
  await comeBack(page, line)

  await choose(page, file.path)
  await expect(
    page.getByText(/^The host already has the first \d+\.\d\d [KM]B, and the upload resumes/),
  ).toBeVisible()
  const project = page.getByRole('combobox', { name: 'Add to project' })
  await expect(project).toHaveValue('Lantern')
  await page.getByText('Version 2.0.0 for Android').click()
  await expect(page.getByRole('combobox', { name: 'Version' })).toHaveValue('2.0.0')
  await expect(page.getByRole('radio', { name: 'Anyone with the link' })).toBeChecked()
  await project.click()
  await page.getByRole('option', { name: 'No project' }).click()
  await expect(page.getByRole('combobox', { name: 'Version' })).toHaveCount(0)
  await expect(page.getByLabel('Make this file public')).not.toBeChecked()
  const changes: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT')
      changes.push(new URL(request.url()).pathname.split('/')[2] ?? '')
  })
  const offsets = watchOffsets(page)
  line.toHost.holdAfter(CHUNK / 2)
  await startUpload(page)
  await expect(
    page.getByText(/^Resumed: the host already had the first \d+\.\d\d [KM]B/),
  ).toBeVisible()
  line.toHost.open()
  await expect(page.getByText('File uploaded successfully!')).toBeVisible({ timeout: 60_000 })
  expect(Math.min(...offsets)).toBeGreaterThan(0)
  await expectArrived(alice, file)
  // It was the upload that was changed, not the file: that was private from its first moment.
  expect(changes).toEqual(['uploads'])
  expect((await alice.projects.byId({ id: project_id })).project.downloads).toEqual([])
  expect((await alice.files.mine({ visibility: 'private' })).total).toBe(1)
})
