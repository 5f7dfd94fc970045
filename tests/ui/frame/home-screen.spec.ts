import { api } from '../../../server/contract'
import { expect, visitorTest as test } from '../../support/world/page'

test('a phone can put the app on its home screen', async ({ page }) => {
  for (const path of ['/', '/login']) {
    await page.goto(path)
    const address = await page.locator('link[rel=manifest]').getAttribute('href')
    const manifest = await page.request.get(address ?? '')
    expect(manifest.headers()['content-type']).toBe('application/manifest+json')
    const { icons, start_url, share_target } = (await manifest.json()) as {
      icons: { src: string; type: string }[]
      start_url: string
      share_target: { action: string }
    }
    expect([start_url, share_target.action]).toEqual(['/', api.files.upload.path])
    for (const { src, type } of [...icons, { src: '/touch-icon.png', type: 'image/png' }])
      expect((await page.request.get(src)).headers()['content-type']).toBe(type)
    await expect(page.locator('link[rel=apple-touch-icon]')).toHaveAttribute(
      'href',
      '/touch-icon.png',
    )
  }
})
