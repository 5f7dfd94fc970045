import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Page } from 'playwright/test'
import * as creator from '../support/creator'
import { repoRoot } from '../support/app/launch'
import { test } from '../support/app/main-job-test'
import { switchSharing } from '../support/app/menu'
import { runOn } from '../support/on-machine'
import { sha256 } from '../support/transfer'

const apk = join(repoRoot, 'node_modules/android-apidemos/apks/ApiDemos-debug.apk')

/** Clicks a download and answers the bytes that arrived. */
async function download(page: Page, name: string | RegExp): Promise<Buffer> {
  const arriving = page.waitForEvent('download')
  await page.getByRole('link', { name }).click()
  return readFile(await (await arriving).path())
}

test('a creator publishes a build, a visitor downloads it, a CI job brings the next one', async ({
  network,
  folder,
  app,
  window,
  visitor,
  picture,
}) => {
  const bytes = await readFile(apk)
  await picture(window, 'first-start')

  await test.step('the first account becomes the host account, on the Enterprise tier', async () => {
    await creator.register(window)
    await picture(window, 'registered')
    await creator.logIn(window)
    await picture(window, 'dashboard')
    const me = await window.evaluate(() => fetch('/api/auth/me').then((reply) => reply.text()))
    expect(JSON.parse(me)).toMatchObject({ user: { username: 'alice', is_host: true, tier_name: 'Enterprise' } })
  })

  await test.step('files are uploaded by the picker and by drag and drop, and one is made public', async () => {
    const tablet = join(folder, 'ApiDemos-tablet.apk')
    await copyFile(apk, tablet)
    await creator.goTo(window, 'My Files')
    await picture(window, 'no-files-yet')
    await creator.uploadByPicker(window, apk)
    await creator.uploadByDrop(window, tablet)
    await creator.makePublic(window, 'ApiDemos-debug.apk')
    await picture(window, 'two-files')
  })

  await test.step('a public project offers the file with its version and platform', async () => {
    await creator.goTo(window, 'Projects')
    await creator.createProject(window, 'API Demos', 'Every part of Android, in one app')
    await creator.addFile(window, 'ApiDemos-debug.apk', '1.0.0', 'Android')
    await picture(window, 'project')
  })

  const address = await test.step('the host is shared on its network, and the link is copied', async () => {
    expect(await switchSharing(app)).toBe(true)
    await expect(window.getByText('For now only this computer can open this address.')).toBeHidden()
    await window.getByRole('button', { name: 'Share' }).click()
    await window.getByRole('menuitem', { name: 'Copy link' }).click()
    await picture(window, 'shared')
    return app.evaluate(({ clipboard }) => clipboard.readText())
  })
  expect(address).toBe(`http://${network.host.address}:${new URL(window.url()).port}/p/api-demos`)

  await test.step('a visitor sees the build and downloads the same bytes', async () => {
    await visitor.goto(address)
    await expect(visitor.getByRole('heading', { name: 'API Demos', level: 1 })).toBeVisible()
    await expect(visitor.getByText('ApiDemos-debug.apk').first()).toBeVisible()
    await expect(visitor.getByText('Version 1.0.0')).toBeVisible()
    await expect(visitor.getByText('ApiDemos-tablet.apk')).toHaveCount(0)
    await picture(visitor, 'visitor')
    expect(sha256(await download(visitor, 'Download for Android'))).toBe(sha256(bytes))
  })

  const next = Buffer.concat([bytes, Buffer.from('the next build')])
  await test.step('a CI job uploads the next build with an API key', async () => {
    await creator.goTo(window, 'API Keys')
    const key = await creator.createApiKey(window, 'CI')
    await picture(window, 'api-key')
    const file = join(folder, 'ApiDemos-1.1.0.apk')
    await writeFile(file, next)
    const { origin } = new URL(address)
    const form = [`file=@${file}`, 'project_id=api-demos', 'version=1.1.0', 'platform=Android', 'is_public=true']
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
      file: { sha256: sha256(next), filename: 'ApiDemos-1.1.0.apk' },
    })
  })

  await test.step('the visitor reloads the page and finds it', async () => {
    await visitor.reload()
    await expect(visitor.getByText('Version 1.1.0')).toBeVisible()
    await picture(visitor, 'visitor-next-build')
    expect(sha256(await download(visitor, 'Download for Android'))).toBe(sha256(next))
  })
})
