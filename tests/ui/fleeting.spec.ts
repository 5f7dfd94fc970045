import { aProject, expect, test } from './support/owner-world'

test('a message of success goes away after three seconds', async ({ page, alice }) => {
  const { project_id } = await aProject(alice, 'Lantern')
  await page.clock.install()
  await page.goto(`/projects/${project_id}/settings`)
  await page.getByLabel('Title').fill('Lantern 2')
  await page.getByRole('button', { name: 'Save changes' }).click()
  const message = page.getByText('Project updated successfully!')
  await expect(message).toBeVisible()
  await page.clock.runFor(3000)
  await expect(message).toBeHidden()
})
