import { aBuild, aPublicProject, expect, test } from '../support/visitor-world'

test.use({ viewport: { width: 360, height: 740 } })

test('on a phone the download is where the thumb is', async ({ page, alice }) => {
  const project = await aPublicProject(alice, { description: 'A long text.\n\n'.repeat(60) })
  await aBuild(alice, project, 'lantern.zip')
  await page.goto('/p/lantern')
  const button = page.getByRole('link', { name: 'Download', exact: true })
  await button.waitFor()
  for (const top of [0, 800]) {
    await page.evaluate((to) => window.scrollTo(0, to), top)
    await expect(button).toBeInViewport({ ratio: 1 })
  }
})
