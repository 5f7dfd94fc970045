import { aBuild, aPublicProject, expect, test } from '../../support/world/page'

test('an open list shows what a job publishes meanwhile', async ({ page, alice }) => {
  const project = await aPublicProject(alice)
  await aBuild(alice, project, 'lantern.apk', { version: '1.4.0' })
  await page.clock.install()
  await page.goto(`/projects/${project.slug}/releases`)
  await expect(page.getByRole('article')).toHaveCount(1)

  await aBuild(alice, project, 'lantern.apk', { version: '1.5.0' })
  await page.clock.runFor(21_000)
  await expect(page.getByRole('heading', { name: '1.5.0', exact: true })).toBeVisible()
})
