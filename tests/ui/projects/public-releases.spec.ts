import type { Client } from '../../../renderer/lib/client/api-client'
import { userAgents } from '../../support/install/user-agents'
import { startApp } from '../support/settled'
import { aBuild, aPublicProject, expect, visitorTest as test } from '../../support/world/page'
import { desk, objections, phone } from '../support/axe'

test.use({ userAgent: userAgents['Chrome on Android'] })

/** Lantern in versions 1.0.0, 1.1.0 and 1.2.0-beta.1. */
async function plantReleases(alice: Client) {
  const project = await aPublicProject(alice)
  for (const version of ['1.0.0', '1.1.0', '1.2.0-beta.1']) {
    await aBuild(alice, project, 'lantern.apk', { version })
    await alice.releases.update({ id: project.slug, version, notes: `The notes of ${version}` })
  }
  await aBuild(alice, project, 'manual.pdf')
  await alice.posts.add({ id: project.slug, content: 'The first build' })
  return project
}

for (const [visitor, javaScriptEnabled, viewport] of [
  ['a visitor on a computer', true, desk],
  ['a visitor on a phone without scripts', false, phone],
] as const) {
  test.describe(visitor, () => {
    test.use({ javaScriptEnabled })

    test('finds an older release and the beta by keyboard', async ({ page, alice }) => {
      await plantReleases(alice)
      await page.setViewportSize(viewport)
      await page.goto('/p/lantern')
      if (javaScriptEnabled) await startApp(page)
      const top = page.getByRole('region', { name: 'Download' })
      await expect(top).toContainText('Version 1.1.0')
      await expect(page.getByText('The notes of 1.1.0')).toBeVisible()

      const older = page.getByRole('link', { name: 'lantern.apk' }).last()
      await expect(older).toBeHidden()
      await page.locator('summary', { hasText: '1.0.0' }).focus()
      await page.keyboard.press('Enter')
      const downloading = page.waitForEvent('download')
      await older.click()
      expect((await downloading).url()).toMatch(/\/p\/lantern\/releases\/1\.0\.0\/lantern\.apk$/)

      await page.getByRole('link', { name: 'Beta', exact: true }).focus()
      await page.keyboard.press('Enter')
      await expect(top).toContainText('Version 1.2.0-beta.1')
      await expect(page.getByRole('link', { name: 'Beta', exact: true })).toHaveAttribute(
        'aria-current',
        'page',
      )
      await page.locator('summary', { hasText: '1.1.0' }).click()
      await page.getByRole('link', { name: 'Notes and downloads of 1.1.0' }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Lantern 1.1.0' })).toBeVisible()
      await expect(page.getByText('The notes of 1.1.0')).toBeVisible()
    })
  })
}

test('nothing moves on the pages of releases when the app takes over', async ({ page, alice }) => {
  await plantReleases(alice)
  for (const viewport of [phone, desk]) {
    await page.setViewportSize(viewport)
    for (const path of [
      '/p/lantern?channel=beta',
      '/p/lantern/releases/1.1.0',
      '/p/lantern/releases',
    ]) {
      await page.goto(path)
      if (viewport === phone) expect(await objections(page)).toEqual([])
      const places = () =>
        page
          .locator('h1, h2, main a:not(details *), summary, footer')
          .evaluateAll((parts) =>
            parts.map((part) => Math.round(part.getBoundingClientRect().top / 8)),
          )
      const before = await places()
      await startApp(page)
      await expect.poll(places).toEqual(before)
    }
  }
})
