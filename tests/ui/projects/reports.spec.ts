import { aPicture } from '../../support/pictures'
import { aBuild, aPublicProject, expect, test } from '../../support/world/page'

test('a tester reports, the owner answers and marks it fixed, and the tester sees both', async ({
  page,
  alice,
  context,
}) => {
  const project = await aPublicProject(alice)
  await aBuild(alice, project, 'lantern-1.4.1.apk', { version: '1.4.1' })
  const { url } = await alice.testers.create({ id: project.project_id, name: 'Berlin' })

  const reporter = await context.newPage()
  await reporter.goto(`${new URL(url).pathname}/report`)
  await reporter.getByLabel('What happened?').fill('It crashes at level 3.')
  await reporter.getByLabel(/Screenshots and logs/).setInputFiles([
    { name: 'level-3.png', mimeType: 'image/png', buffer: aPicture({ width: 40 }) },
    { name: 'photo.heic', mimeType: 'image/heic', buffer: Buffer.from('\0\0\0\x18ftypheic') },
  ])
  await reporter.getByRole('button', { name: 'Send' }).click()
  await expect(reporter.getByText('Your report has arrived, with 1 of 2 files.')).toBeVisible()
  await reporter.getByRole('link', { name: 'Open its page' }).click()
  await expect(reporter.getByText('The answers will be on this page.')).toBeVisible()

  await page.goto(`/projects/${project.project_id}/reports`)
  await expect(page.getByRole('row', { name: /It crashes at level 3/ })).toContainText('1 file')
  await page.getByRole('link', { name: 'It crashes at level 3.' }).click()
  await expect(page.getByRole('img', { name: 'Screenshot level-3.webp' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Answer' }).fill('Thank you!')
  await page.getByRole('button', { name: 'Send answer' }).click()
  await expect(page.getByText('Thank you!')).toBeVisible()
  await page.getByRole('combobox', { name: 'State' }).selectOption('Fixed')
  const version = page.getByRole('combobox', { name: 'Fixed in version' })
  await version.fill('1.4.1')
  await version.press('Tab')
  await expect(page.getByText('Fixed in 1.4.1', { exact: true })).toBeVisible()

  await reporter.reload()
  await expect(reporter.getByText('Thank you!')).toBeVisible()
  await expect(reporter.getByRole('link', { name: '1.4.1' })).toBeVisible()
})
