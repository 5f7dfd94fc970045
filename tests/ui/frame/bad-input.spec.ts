import { expect, test } from '../../support/world/page'

test('a search with odd characters finds nothing instead of failing', async ({ page, alice }) => {
  await alice.files.upload({ file: new File(['x'], 'notes.txt'), is_public: 'true' })
  await alice.projects.create({ title: 'Lantern', is_public: true })
  for (const [place, label] of [
    ['/browse', 'Search projects'],
    ['/public-files', 'Search public files'],
    ['/my-files', 'Search your files'],
  ] as const) {
    await page.goto(place)
    const search = page.getByRole('searchbox', { name: label })
    for (const text of ['<b>', '%00', '[(*', 'x'.repeat(200)]) {
      await search.fill(text)
      await expect(page.getByRole('heading', { name: /Nothing|No |found/i }).first()).toBeVisible()
    }
    await search.fill('')
    await expect(
      page
        .getByText(/notes\.txt|Lantern/)
        .filter({ visible: true })
        .first(),
    ).toBeVisible()
  }
})
