import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Page } from 'playwright/test'
import { drop } from '../../support/drop'
import * as creator from '../../support/desktop/creator'
import { repoRoot } from '../../support/desktop/app/launch'
import { test } from '../../support/desktop/app/main-job-test'
import { runOn } from '../../support/machines/on-machine'
import { needTools } from '../../support/system/debian'
import { sha256 } from '../../support/system/sha256'

const apk = join(repoRoot, 'node_modules/android-apidemos/apks/ApiDemos-debug.apk')

/** Clicks a download and answers the bytes that arrived. */
async function download(page: Page, name: string | RegExp): Promise<Buffer> {
  const arriving = page.waitForEvent('download')
  await page.getByRole('link', { name }).click()
  return readFile(await (await arriving).path())
}

/** Counts what the person does from now on: clicks, and fields that are typed into. */
async function countClicks(page: Page): Promise<() => Promise<{ clicks: number; typed: number }>> {
  await page.evaluate(() => {
    const deeds = { clicks: 0, fields: new Set<EventTarget | null>() }
    Object.assign(window, { deeds })
    addEventListener('pointerdown', ({ isTrusted }) => (deeds.clicks += isTrusted ? 1 : 0), true)
    addEventListener('input', ({ target }) => deeds.fields.add(target), true)
  })
  return () =>
    page.evaluate(() => {
      const { deeds } = window as unknown as { deeds: { clicks: number; fields: Set<unknown> } }
      return { clicks: deeds.clicks, typed: deeds.fields.size }
    })
}

test('a creator publishes a build, a visitor downloads it, a CI job brings the next one', async ({
  network,
  folder,
  app,
  window,
  visitor,
  picture,
}) => {
  await needTools('curl')
  const bytes = await readFile(apk)
  await picture(window, 'first-start')

  await test.step('the first account becomes the host account, on the Enterprise tier', async () => {
    await creator.register(window)
    await picture(window, 'dashboard')
    const me = await window.evaluate(() => fetch('/api/auth/me').then((reply) => reply.text()))
    expect(JSON.parse(me)).toMatchObject({
      user: { username: 'alice', is_host: true, tier_name: 'Enterprise' },
    })
  })

  const address =
    await test.step('a dropped file becomes a link in two clicks, on one page, with nothing typed', async () => {
      const page = window.url()
      const clicks = await countClicks(window)
      await drop(window, [apk])
      const sheet = window.getByRole('dialog')
      await expect(window.getByRole('heading', { name: 'Publish API Demos' })).toBeVisible()
      await expect(sheet.getByRole('switch', { name: 'Share on this network' })).toBeChecked()
      await picture(window, 'publish')
      await sheet.getByRole('button', { name: 'Publish', exact: true }).click()
      await expect(
        window.getByRole('heading', { name: 'API Demos 5.0.0 is published' }),
      ).toBeVisible()
      await expect(sheet.getByText('Tested: it answers on this network.')).toBeVisible()
      await sheet.getByRole('button', { name: 'Copy link' }).click()
      await picture(window, 'shared')
      expect(await clicks()).toEqual({ clicks: 2, typed: 0 })
      expect(window.url()).toBe(page)
      await sheet.getByRole('button', { name: 'Done' }).click()
      return app.evaluate(({ clipboard }) => clipboard.readText())
    })
  expect(address).toBe(`http://${network.host.address}:${new URL(window.url()).port}/p/api-demos`)

  await test.step('a visitor sees the build and downloads the same bytes', async () => {
    await visitor.goto(address)
    await expect(visitor.getByRole('heading', { name: 'API Demos', level: 1 })).toBeVisible()
    await expect(visitor.getByText('ApiDemos-debug.apk').first()).toBeVisible()
    await expect(visitor.getByText('Version 5.0.0')).toBeVisible()
    await picture(visitor, 'visitor')
    expect(sha256(await download(visitor, 'Download for Android'))).toBe(sha256(bytes))
  })

  const next = Buffer.concat([bytes, Buffer.from('the next build')])
  await test.step('a CI job uploads the next build with an API key', async () => {
    await creator.goTo(window, 'API Keys')
    const key = await creator.createApiKey(window, 'CI')
    await picture(window, 'api-key')
    const file = join(folder, 'ApiDemos-5.1.0.apk')
    await writeFile(file, next)
    const { origin } = new URL(address)
    const form = [
      `file=@${file}`,
      'project_id=api-demos',
      'version=5.1.0',
      'platform=Android',
      'is_public=true',
    ]
    const fields = form.flatMap((field) => ['-F', field])
    const reply = await runOn(network.ci, 'curl', [
      '-sS',
      '--fail-with-body',
      '-H',
      `X-API-Key: ${key}`,
      ...fields,
      `${origin}/api/files/upload`,
    ])
    expect(JSON.parse(reply)).toMatchObject({
      success: true,
      file: { sha256: sha256(next), filename: 'ApiDemos-5.1.0.apk' },
    })
  })

  await test.step('the visitor reloads the page and finds it', async () => {
    await visitor.reload()
    await expect(visitor.getByText('Version 5.1.0')).toBeVisible()
    await picture(visitor, 'visitor-next-build')
    expect(sha256(await download(visitor, 'Download for Android'))).toBe(sha256(next))
  })
})
