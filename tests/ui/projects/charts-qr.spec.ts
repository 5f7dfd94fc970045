import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright/test'
import type { TestServer } from '../../support/world/test-server'
import { aBuild, aFile, aPublicProject, expect, test } from '../../support/world/page'
import { readQrCode } from '../support/read-qr-code'

/**
 * Visitors who open a project's page, each on their own device; the first ones also download a
 * file.
 */
async function visits(
  host: TestServer,
  slug: string,
  fileId: string,
  views: number,
  downloads: number,
) {
  for (let visitor = 0; visitor < views; visitor++) {
    const headers = { 'user-agent': `Browser ${visitor}` }
    await fetch(`${host.url}/api/projects/slug/${slug}`, { headers })
    if (visitor >= downloads) continue
    const download = await fetch(`${host.url}/api/projects/${slug}/downloads/${fileId}/download`, {
      headers,
    })
    await download.arrayBuffer()
  }
}

test('a project shows downloads and views of 30 and 90 days, as charts and a table', async ({
  page,
  alice,
  host,
}) => {
  const project = await aPublicProject(alice)
  const file = await aBuild(alice, project, 'lantern-1.0.0.apk')
  await visits(host, project.slug, file.file_id, 5, 2)

  await page.goto(`/projects/${project.project_id}`)
  await page.getByRole('link', { name: 'Statistics' }).click()
  await expect(page).toHaveURL(`/projects/${project.project_id}/statistics`)
  const downloads = page.getByRole('img', {
    name: /^2 downloads in the last 30 days, most on .+, \d{4}: 2\.$/,
  })
  await expect(downloads).toBeVisible()
  await expect(downloads.locator('rect:not([fill])')).toHaveCount(1)
  await expect(page.getByRole('img', { name: /^5 views in the last 30 days/ })).toBeVisible()

  await page.getByText('Show as a table').click()
  const table = page.getByRole('region', { name: 'Statistics by day' })
  await expect(table.getByRole('row')).toHaveCount(31)
  await expect(table.getByRole('row').nth(1)).toHaveText(/\d{4}25$/)
  await page.getByText('90 days', { exact: true }).click()
  await expect(page).toHaveURL(/\?days=90$/)
  await expect(table.getByRole('row')).toHaveCount(91)
  await page.reload()
  await expect(page.getByRole('img', { name: /^2 downloads in the last 90 days/ })).toBeVisible()
})

test('the dashboard shows the storage by type', async ({ page, alice }) => {
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Storage' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Storage by type' })).toHaveCount(0)
  const names = ['a.apk', 'b.ipa', 'c.exe', 'd.dmg', 'e.deb', 'f.zip', 'g.txt']
  for (const [index, name] of names.entries())
    await aFile(alice, name, { bytes: 'x'.repeat(10 * (names.length - index)) })
  await alice.projects.create({ title: 'Lantern' })
  await page.reload()
  await page.getByText('By type').click()
  await expect(
    page.getByRole('list', { name: 'Storage by type' }).getByRole('listitem'),
  ).toHaveText([
    'Android70 Bytes',
    'iOS60 Bytes',
    'Windows50 Bytes',
    'macOS40 Bytes',
    'Linux30 Bytes',
    'Archives20 Bytes',
    'Other files10 Bytes',
  ])
})

/** Opens the code of the page that is shown, and reads it off the screen. */
async function scan(page: Page): Promise<string | null> {
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Show QR code' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('img', { name: /^QR code of http/ })).toBeVisible()
  const read = async () => readQrCode(page, await dialog.screenshot())
  // The dialog grows into its place: a camera that reads nothing yet looks again.
  await expect.poll(read).not.toBeNull()
  return read()
}

const alone = 'Only this computer can open this link. Ask the host to share it.'

const known = test.extend({
  config: async ({}, use) => use({ publicUrl: 'https://builds.example' }),
})

known(
  'the code has the address by which others reach this host, and is saved as a PNG and an SVG',
  async ({ page, alice }) => {
    const { slug, project_id } = await aPublicProject(alice)
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(`/projects/${project_id}`)
    expect(await scan(page)).toBe(`https://builds.example/p/${slug}`)
    await expect(page.getByText(alone)).toHaveCount(0)
    const save = async (format: string) => {
      const saving = page.waitForEvent('download')
      await page.getByRole('dialog').getByRole('button', { name: format }).click()
      const download = await saving
      expect(download.suggestedFilename()).toBe(`${slug}-qr.${format.toLowerCase()}`)
      return readFile(await download.path())
    }
    expect(await readQrCode(page, await save('PNG'))).toBe(`https://builds.example/p/${slug}`)
    const svg = (await save('SVG')).toString()
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/)
    expect(svg).toContain('fill="#FFFFFF"')
  },
)
