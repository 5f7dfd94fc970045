import { execFileSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright/test'
import { desk, objectionsAtEverySize, phone } from '../support/axe'
import { aHollowFile } from '../../support/world/factories'
import { aFile, answer, expect, test } from '../../support/world/page'

const box = (page: Page, filename: string): Locator =>
  page.getByRole('checkbox', { name: `Select ${filename}` })
const all = (page: Page): Locator => page.getByRole('checkbox', { name: 'Select all on this page' })
const bar = (page: Page): Locator => page.getByRole('group', { name: 'Selected files' })
const press = (page: Page, name: string) =>
  bar(page).getByRole('button', { name, exact: true }).click()
/** Has the host refuse one of the files, from some moment on, and do the rest. */
const refuse = (page: Page, calls: string, id: string, from = Promise.resolve()) =>
  page.route(calls, async (route) => {
    await from
    const sent = route.request().postDataJSON() as { file_ids: string[] }
    const response = await route.fetch({
      postData: { ...sent, file_ids: sent.file_ids.filter((other) => other !== id) },
    })
    const failed = [{ id, error: 'Try again later', code: 'busy' }]
    await route.fulfill({ response, json: { ...((await response.json()) as object), failed } })
  })
const top = async (place: Locator) => (await place.boundingBox())?.y

test('what is selected comes as one zip that unzip and sha256sum accept', async ({
  page,
  alice,
}, info) => {
  for (const name of ['lantern.apk', 'notes.txt', 'rocket.apk']) await aFile(alice, name)
  await page.goto('/my-files')
  await box(page, 'lantern.apk').check()
  await expect(bar(page).getByRole('link', { name: 'Download', exact: true })).toBeVisible()
  expect(await objectionsAtEverySize(page)).toEqual([])
  await page.setViewportSize(desk)
  await box(page, 'rocket.apk').check()
  await expect(bar(page)).toContainText('2 files · 47 Bytes')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    bar(page).getByRole('link', { name: 'Download (zip)' }).click(),
  ])
  const path = info.outputPath('files.zip')
  await download.saveAs(path)
  const cwd = info.outputPath('out')
  execFileSync('unzip', ['-q', path, '-d', cwd])

  expect((await readdir(cwd)).sort()).toEqual(['SHA256SUMS', 'lantern.apk', 'rocket.apk'])
  expect(await readFile(`${cwd}/rocket.apk`, 'utf8')).toBe('the bytes of rocket.apk')
  const checked = execFileSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd, encoding: 'utf8' })
  expect(checked.trim().split('\n').sort()).toEqual(['lantern.apk: OK', 'rocket.apk: OK'])
  await expect(bar(page)).toContainText('2 files')
})

test('several files are deleted at once, restored by one Undo', async ({ page, alice }) => {
  for (const name of ['lantern.apk', 'notes.txt', 'rocket.apk']) await aFile(alice, name)
  await page.goto('/my-files')
  await all(page).check()
  await box(page, 'notes.txt').uncheck()
  await press(page, 'Delete')
  await answer(
    page,
    'Are you sure you want to delete these 2 files? rocket.apk and lantern.apk',
    'Delete',
  )
  await expect(page.getByText('2 files deleted')).toBeVisible()
  await expect(box(page, 'lantern.apk')).toHaveCount(0)
  await expect(bar(page)).toHaveCount(0)
  expect((await alice.files.mine({})).files.map(({ filename }) => filename)).toEqual(['notes.txt'])

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('2 files restored')).toBeVisible()
  await expect(box(page, 'lantern.apk')).toBeVisible()
  expect((await alice.files.mine({})).total).toBe(3)

  await box(page, 'lantern.apk').check()
  await press(page, 'Delete')
  await expect(page.getByRole('dialog', { name: 'Delete lantern.apk' })).toBeVisible()
  await answer(page, 'Are you sure you want to delete this file?', 'Delete')
  await expect(page.getByText('File deleted')).toBeVisible()
  await expect.poll(async () => (await alice.files.mine({})).total).toBe(2)
})

test('names files that could not be deleted and keeps them selected', async ({ page, alice }) => {
  const kept = await aFile(alice, 'kept.apk')
  await aFile(alice, 'gone.apk')
  await page.goto('/my-files')
  await all(page).check()
  await refuse(page, '**/api/files/delete', kept.file_id)
  await press(page, 'Delete')
  await answer(page, 'these 2 files', 'Delete')
  const message = page.getByRole('alert').filter({ hasText: '1 of 2 files' })
  await expect(message).toContainText(
    'File deleted. Failed to delete 1 of 2 files. kept.apk: Try again later',
  )
  await expect(box(page, 'gone.apk')).toHaveCount(0)
  await expect(box(page, 'kept.apk')).toBeChecked()
  await message.getByRole('button', { name: 'Undo' }).click()
  await expect(box(page, 'gone.apk')).toBeVisible()
})

test('a change of visibility shows at once, and is reverted only for the file that failed', async ({
  page,
  alice,
}) => {
  const shut = await aFile(alice, 'shut.apk')
  await aFile(alice, 'open.apk')
  await page.goto('/my-files')
  const { promise: failing, resolve: fail } = Promise.withResolvers<undefined>()
  await refuse(page, '**/api/files/visibility', shut.file_id, failing)
  await all(page).check()
  await press(page, 'Make Public')
  const visibilityOf = (name: string) => page.getByRole('switch', { name: `Public: ${name}` })
  await expect(visibilityOf('shut.apk')).toBeChecked()
  await expect(visibilityOf('open.apk')).toBeChecked()
  fail(undefined)
  await expect(
    page.getByRole('alert').filter({ hasText: 'change visibility of 1 of 2 files. shut.apk' }),
  ).toBeVisible()
  await expect(visibilityOf('shut.apk')).not.toBeChecked()
  await expect(visibilityOf('open.apk')).toBeChecked()
  await expect(box(page, 'shut.apk')).toBeChecked()
  await expect(box(page, 'open.apk')).not.toBeChecked()

  await page.unroute('**/api/files/visibility')
  await page.getByRole('alert').getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('1 file made public')).toBeVisible()
  expect((await alice.files.mine({ visibility: 'public' })).total).toBe(2)
})

test('by keyboard Space selects, Escape in a dialog keeps the selection, Escape clears it', async ({
  page,
  alice,
}) => {
  for (const name of ['lantern.apk', 'rocket.apk']) await aFile(alice, name)
  await page.goto('/my-files')
  const before = await top(page.getByRole('table'))
  await box(page, 'lantern.apk').press('Space')
  await expect(bar(page)).toBeVisible()
  expect(await top(page.getByRole('table'))).toBe(before)
  await expect(all(page)).toBeChecked({ indeterminate: true })
  await bar(page).getByRole('button', { name: 'Delete' }).press('Enter')
  await expect(page.getByRole('dialog').locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(bar(page)).toBeVisible()

  await bar(page).getByRole('button', { name: 'Make Public' }).press('Enter')
  await expect(bar(page)).toHaveCount(0)
  await expect(all(page)).toBeFocused()
  await all(page).press('Space')
  await expect(bar(page)).toContainText('2 files')
  await page.keyboard.press('Escape')
  await expect(bar(page)).toHaveCount(0)
  await expect(box(page, 'lantern.apk')).not.toBeChecked()
})

test('a click with Shift selects all between', async ({ page, alice }) => {
  for (const number of [1, 2, 3, 4]) await aFile(alice, `build-${number}.zip`)
  await page.goto('/my-files')
  await box(page, 'build-4.zip').click()
  await box(page, 'build-2.zip').click({ modifiers: ['Shift'] })
  await expect(bar(page)).toContainText('3 files')
  await expect(box(page, 'build-3.zip')).toBeChecked()
  await expect(box(page, 'build-1.zip')).not.toBeChecked()
})

test('the selection spans pages, forgets deleted files', async ({ page, host, alice }) => {
  const names = Array.from({ length: 52 }, (_, number) => `build-${number}.zip`)
  await Promise.all(
    names.map((name) =>
      aHollowFile(host, host.user('alice'), { filename: name, size: 1024, isPublic: true }),
    ),
  )
  const { files } = await alice.files.mine({ limit: 50, offset: 50 })
  const onSecondPage = files.map(({ filename }) => filename)
  await page.goto('/my-files')
  await all(page).check()
  await page.getByRole('button', { name: 'Next page' }).click()
  for (const name of onSecondPage) await box(page, name).check()
  await expect(bar(page)).toContainText('52 files · 52.00 KB')
  await expect(bar(page)).toContainText('50 on other pages')

  await page.getByRole('button', { name: `Actions for ${onSecondPage[0]}` }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await answer(page, 'Are you sure you want to delete this file?', 'Delete')
  await expect(bar(page)).toContainText('51 files')
  await page.getByRole('button', { name: 'Previous page' }).click()
  await expect(page.getByText('1–50 of 51')).toBeVisible()
  await expect(bar(page)).toContainText('51 files')
  await press(page, 'Clear selection')
  await expect(bar(page)).toHaveCount(0)

  const { promise: cleared, resolve: goOn } = Promise.withResolvers<undefined>()
  const isWholeList = ({ pathname, searchParams }: URL) =>
    pathname === '/api/files/my-files' && !searchParams.has('limit')
  await page.route(isWholeList, async (route) => {
    await cleared
    await route.continue()
  })
  await all(page).check()
  await press(page, 'Select all 51')
  await press(page, 'Clear selection')
  const loaded = page.waitForResponse((response) => isWholeList(new URL(response.url())))
  goOn(undefined)
  await (await loaded).finished()
  await page
    .getByRole('checkbox', { name: /^Select build/ })
    .first()
    .check()
  await expect(bar(page)).toContainText('1 file ·')
})

test('on a phone the actions are one menu, and nothing moves', async ({ page, alice }) => {
  await page.setViewportSize(phone)
  for (const name of ['lantern.apk', 'rocket.apk']) await aFile(alice, name)
  await page.goto('/my-files')
  const list = page.getByRole('list', { name: 'Your files' })
  const before = await top(list)
  await box(page, 'lantern.apk').check()
  await all(page).check()
  await expect(bar(page)).toContainText('2 files')
  expect(await top(list)).toBe(before)
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
  ).toBeLessThanOrEqual(0)
  await bar(page).getByRole('button', { name: 'Actions for the selected files' }).click()
  await page.getByRole('menuitem', { name: 'Make Public' }).click()
  await expect(page.getByText('2 files made public')).toBeVisible()
  expect((await alice.files.mine({ visibility: 'public' })).total).toBe(2)
})
