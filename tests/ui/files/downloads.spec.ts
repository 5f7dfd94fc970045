import {
  aBuild,
  aPublicProject,
  expect,
  pageOf,
  visitorTest as test,
} from '../../support/world/page'

test('the lines that check a file are a click away, for three systems', async ({ page, alice }) => {
  const project = await aPublicProject(alice)
  const file = await aBuild(alice, project, 'lantern-1.0.zip')
  await page.goto('/p/lantern')
  await page.getByText('Check the file').click()

  for (const system of ['macOS', 'Linux', 'Windows (PowerShell)']) {
    await expect(page.getByRole('region', { name: `Check the file on ${system}` })).toContainText(
      file.sha256,
    )
  }
})

test('the details of a build have its digest', async ({ browser, host, alice }) => {
  const project = await aPublicProject(alice)
  const { sha256: digest } = await aBuild(alice, project, 'lantern-1.0.apk')
  const page = await pageOf(browser, host, 'alice')
  await page.goto('/apk-builds')
  await page.getByRole('button', { name: 'Details lantern-1.0.apk' }).click()
  await expect(page.getByRole('dialog').getByText(digest)).toBeVisible()
  await page.getByRole('button', { name: 'Copy SHA-256' }).click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
})
