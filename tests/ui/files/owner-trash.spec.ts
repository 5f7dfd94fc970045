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

  await page.getByRole('button', { name: 'Delete forever: rocket.apk' }).click()
  await answer(page, 'This cannot be undone.', 'Delete forever')
  await expect(page.getByText('Nothing deleted recently')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Empty Trash' })).toBeHidden()

  await alice.files.remove({ id: kept.file_id })
  await page.reload()
  await page.getByRole('button', { name: 'Empty Trash' }).click()
  await answer(
    page,
    'Everything in the Trash is deleted forever. This cannot be undone.',
    'Empty Trash',
  )
  await expect(page.getByText('Nothing deleted recently')).toBeVisible()
  expect((await alice.trash.list({})).total).toBe(0)
})
