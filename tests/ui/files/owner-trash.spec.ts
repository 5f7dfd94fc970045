import { aFile, answer, aProject, expect, test } from '../../support/world/page'

test('what was deleted is brought back as it was, or deleted for good', async ({ page, alice }) => {
  const { project_id } = await aProject(alice, 'Lantern')
  const kept = await aFile(alice, 'lantern.apk')
  const gone = await aFile(alice, 'rocket.apk')
  await alice.projects.link({ id: project_id, file_id: kept.file_id })
  await alice.files.remove({ id: gone.file_id })
  await alice.files.remove({ id: kept.file_id })

  await page.goto('/my-files')
  await page.getByRole('link', { name: 'Trash' }).click()
  await expect(page.getByRole('row')).toHaveCount(3)
  await page.getByRole('button', { name: 'Restore lantern.apk' }).dblclick()
  await expect(page.getByText('File restored')).toBeVisible()
  await expect(page.getByRole('row', { name: /lantern\.apk/ })).toBeHidden()
  // The second click of a slow double click meets the row that moved up.
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  const { project } = await alice.projects.byId({ id: project_id })
  expect(project.downloads).toMatchObject([{ filename: 'lantern.apk' }])

  await page.getByRole('button', { name: 'Delete forever rocket.apk' }).click()
  await answer(page, 'This cannot be undone.', 'Delete forever')
  await expect(page.getByText('Nothing deleted recently')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Empty Trash' })).toBeHidden()

  await alice.files.remove({ id: kept.file_id })
  await page.reload()
  await page.getByRole('button', { name: 'Empty Trash' }).click()
  await answer(page, 'deleted forever, which frees 24 Bytes', 'Empty Trash')
  await expect(page.getByText('Nothing deleted recently')).toBeVisible()
  expect((await alice.trash.list({})).total).toBe(0)
})

test('selected items are restored or deleted forever by one click', async ({ page, alice }) => {
  for (const name of ['lantern.apk', 'notes.txt', 'rocket.apk', 'site.zip']) {
    const { file_id } = await aFile(alice, name)
    await alice.files.remove({ id: file_id })
  }
  await page.goto('/trash')
  await expect(page.getByText('4 items · emptying frees 90 Bytes')).toBeVisible()
  const bar = page.getByRole('group', { name: 'Selected items' })
  const select = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` })
  await select('lantern.apk').check()
  await select('notes.txt').check()
  await bar.getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByText('2 items restored')).toBeVisible()
  expect((await alice.files.mine({})).total).toBe(2)

  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await bar.getByRole('button', { name: 'Delete forever' }).click()
  await answer(page, 'This cannot be undone.', 'Delete forever')
  await expect(page.getByText('2 items deleted forever')).toBeVisible()
  expect((await alice.trash.list({})).total).toBe(0)
})
