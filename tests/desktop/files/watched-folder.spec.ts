import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'playwright/test'
import { test as desktopTest } from '../../support/desktop/desktop-test'
import { signedIn } from '../../support/world/people'
import { signInAtWindow } from '../../support/desktop/app/settings'

const test = desktopTest.extend<{ out: string }>({
  out: async ({}, use) => {
    const out = await mkdtemp(join(tmpdir(), 'slipway-out-'))
    await use(out)
    await rm(out, { recursive: true, force: true })
  },
})

test.use({ people: ['alice'] })

test('publishes a build that appears in a watched folder and notifies the creator', async ({
  app,
  page,
  origin,
  out,
}) => {
  await writeFile(join(out, 'app-release-1.4.1.apk'), 'was there before')
  await app.evaluate(({ BrowserWindow, dialog, Notification }, folder) => {
    const notices: string[] = []
    Object.assign(globalThis, { notices })
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [folder] })
    BrowserWindow.getFocusedWindow = () => null
    Notification.isSupported = () => true
    Notification.prototype.show = function (this: Electron.Notification) {
      notices.push(this.title)
    }
  }, out)
  const { client } = await signedIn(origin, 'alice')
  const { project } = await client.projects.create({ title: 'Rocket' })
  await signInAtWindow(page)
  await page.goto(`${origin}/projects/${project.project_id}`)

  await page.getByRole('button', { name: 'Watch a folder' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Watch this folder' }).click()
  await expect(dialog.getByText('Choose a folder first')).toBeVisible()
  await dialog.getByRole('button', { name: 'Choose folder' }).click()
  await expect(dialog.getByLabel('Folder', { exact: true })).toHaveValue(out)
  await dialog.getByLabel('File names').fill('*.apk')
  await dialog.getByRole('radio', { name: 'Public immediately' }).check()
  await dialog.getByRole('button', { name: 'Watch this folder' }).click()
  const folder = page.getByRole('group', { name: out })
  await expect(folder).toContainText('Watching for *.apk. A new build is public immediately.')

  await writeFile(join(out, 'notes.txt'), 'no build')
  await writeFile(join(out, 'app-release-1.4.2.apk'), 'a build')
  await expect(folder.getByRole('listitem')).toHaveText(
    /^app-release-1\.4\.2\.apk 1\.4\.2 · Just now$/,
    {
      timeout: 30_000,
    },
  )
  await expect(
    page.getByRole('table').getByRole('row', { name: /app-release-1\.4\.2\.apk/ }),
  ).toContainText('1.4.2')
  await expect(page.getByRole('table').getByRole('row')).toHaveCount(2)
  const notices = () => app.evaluate(() => (globalThis as unknown as { notices: string[] }).notices)
  await expect.poll(notices).toContain('app-release-1.4.2.apk was published')

  await folder.getByRole('button', { name: `Pause ${out}` }).click()
  await expect(folder).toContainText('Paused.')
  await folder.getByRole('button', { name: `Stop watching ${out}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop watching' }).click()
  await expect(folder).toHaveCount(0)
})
