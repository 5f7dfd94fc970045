import { readFile } from 'node:fs/promises'
import { aHollowFile } from '../../support/world/factories'
import { aFile, answer, expect, test } from '../../support/world/page'

test('files are filtered, which the address keeps, and found by name; or all are shown', async ({
  page,
  alice,
}) => {
  await aFile(alice, 'open.zip', { isPublic: true })
  await aFile(alice, 'shut.zip')
  await page.goto('/my-files')
  await expect(page.getByRole('row')).toHaveCount(3)
  await expect(page.getByRole('searchbox'), 'a short list').toHaveCount(0)
  for (const number of [1, 2, 3, 4, 5, 6, 7]) await aFile(alice, `notes-${number}.txt`)
  await page.reload()
  await expect(page.getByRole('row')).toHaveCount(10)
  const show = page.getByRole('radiogroup', { name: 'Visibility' })
  await show.getByText('Public').click()
  await expect(page.getByRole('row', { name: /open\.zip/ })).toBeVisible()
  await expect(page.getByRole('row', { name: /shut\.zip/ })).toBeHidden()
  await show.getByText('Private').click()
  await expect(page.getByRole('row', { name: /shut\.zip/ })).toBeVisible()
  await expect(page.getByRole('row', { name: /open\.zip/ })).toBeHidden()
  await page.reload()
  await expect(page.getByRole('row', { name: /shut\.zip/ })).toBeVisible()
  await expect(page.getByRole('row', { name: /open\.zip/ })).toBeHidden()

  await show.getByText('All').click()
  await page.getByRole('searchbox').fill('OPE')
  await expect(page.getByRole('row', { name: /shut\.zip/ })).toBeHidden()
  await expect(page.getByRole('row', { name: /open\.zip/ })).toBeVisible()
  await page.getByRole('searchbox').fill('nothing like it')
  await expect(page.getByText('No file has “nothing like it” in its name.')).toBeVisible()
  await page.getByRole('button', { name: 'Show all files' }).click()
  await expect(page.getByRole('searchbox')).toHaveValue('')
  await expect(page.getByRole('row')).toHaveCount(10)
})

test('switch and menu change the visibility at once, and revert on failure', async ({
  page,
  alice,
  complaints,
}) => {
  const { file_id } = await aFile(alice, 'lantern.apk')
  await page.goto('/my-files')
  const row = page.getByRole('row', { name: /lantern/ })
  await row.getByRole('switch').click()
  await expect(row.getByText('Public')).toBeVisible()
  await expect.poll(async () => (await alice.files.info({ id: file_id })).file.is_public).toBe(true)
  await row.getByRole('button', { name: 'Actions for lantern.apk' }).click()
  await expect(page.getByRole('menuitem', { name: 'Download' })).toBeVisible()
  await page.getByRole('menuitem', { name: 'Make Private' }).click()
  await expect(row.getByText('Private')).toBeVisible()
  await expect
    .poll(async () => (await alice.files.info({ id: file_id })).file.is_public)
    .toBe(false)
  await row.getByRole('button', { name: 'Actions for lantern.apk' }).click()
  await expect(page.getByRole('menuitem', { name: 'Make Public' })).toBeVisible()
  await page.keyboard.press('Escape')

  const failing = Promise.withResolvers<undefined>()
  await page.route('**/visibility', async (route) => {
    await failing.promise
    await route.abort()
  })
  await row.getByRole('switch').click()
  await expect(row.getByRole('switch')).toBeChecked()
  failing.resolve(undefined)
  await expect(
    page.getByRole('alert').filter({ hasText: 'Visibility did not change: ' }),
  ).toBeVisible()
  await expect(row.getByRole('switch')).not.toBeChecked()
  complaints.length = 0
})

test('a file is deleted after a question that names it, and can be brought back', async ({
  page,
  alice,
}) => {
  await aFile(alice, 'lantern.apk')
  await aFile(alice, 'rocket.apk')
  await page.goto('/my-files')
  const menu = page.getByRole('button', { name: 'Actions for lantern.apk' })
  await menu.click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByRole('dialog', { name: 'Delete lantern.apk' })).toBeVisible()
  await answer(page, 'Are you sure you want to delete this file?', 'Cancel')
  expect((await alice.files.mine({})).total).toBe(2)

  await menu.click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await answer(page, 'Are you sure you want to delete this file?', 'Delete')
  await expect(page.getByRole('row', { name: /lantern/ })).toBeHidden()
  expect((await alice.files.mine({})).files.map(({ filename }) => filename)).toEqual(['rocket.apk'])

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('row', { name: /lantern/ })).toBeVisible()
})

test('a download carries bytes and name, and the link of a public file the host', async ({
  page,
  alice,
  host,
}) => {
  const { file_id } = await aFile(alice, 'notes.txt', { isPublic: true, bytes: 'some bytes' })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/my-files')
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download notes.txt' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('notes.txt')
  expect(await readFile(await download.path(), 'utf8')).toBe('some bytes')

  await page.getByRole('button', { name: 'Actions for notes.txt' }).click()
  await page.getByRole('menuitem', { name: 'Copy link' }).click()
  await expect(
    page.getByText('Copied. Only this computer can open it. Ask host to share it.'),
  ).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toBe(`${host.url}/api/files/public/alice/${file_id}/download`)
  expect((await fetch(copied)).status).toBe(200)
})

test('a page that a list no longer has leads to its last one', async ({ page, host }) => {
  for (let number = 1; number <= 51; number++)
    await aHollowFile(host, host.user('alice'), {
      filename: `build-${number}.apk`,
      size: 1,
      isPublic: true,
    })
  for (const path of ['/apk-builds', '/public-files', '/my-files']) {
    await page.goto(`${path}?page=9`)
    await expect(page.getByText('51–51 of 51')).toBeVisible()
    await expect(page).toHaveURL(/\?page=2$/)
    await expect(page.getByRole('row')).toHaveCount(2)
  }
  // Files of one millisecond have no order.
  await page.getByRole('button', { name: /^Actions for build-/ }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await answer(page, 'Are you sure you want to delete this file?', 'Delete')
  await expect(page.getByRole('row')).toHaveCount(51)
  await expect(page).toHaveURL(/\/my-files$/)
})
