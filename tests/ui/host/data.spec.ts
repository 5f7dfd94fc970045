import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { backUp } from '../../../server/data/backup/backup'
import type { TestServer } from '../../support/world/test-server'
import { aFile, answer, expect } from '../../support/world/page'
import { test as base } from '../support/window-world'

/** `test` with a folder that the person chooses whenever a page of the window asks for one. */
const test = base.extend<{ folder: string }>({
  folder: async ({ page, host }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'slipway-chosen-'))
    await inTheApp(page, host, folder)
    await use(folder)
    await rm(folder, { recursive: true, force: true })
  },
})

/** The part of the app's bridge that these pages use; the server is the real one. */
async function inTheApp(page: Page, { inside }: TestServer, path: string): Promise<void> {
  await page.exposeFunction('choose', () => ({ name: inside.chosenFolders.offer(path), path }))
  await page.exposeFunction('restore', () =>
    inside.dataFolder.startRestore(path, false).then(() => true),
  )
  await page.addInitScript(() => {
    const nothing = () => Promise.resolve(null)
    const desktop = {
      ...{ showDataFolder: nothing, showProgress: nothing, startReport: nothing },
      ...{
        onHostChanged: () => nothing,
        onProjectChanged: () => nothing,
        onOpenPage: () => nothing,
      },
      ...{ onFilesOpened: () => nothing, takeOpenedFiles: () => Promise.resolve([]) },
      chooseFolder: () => (window as unknown as { choose(): Promise<unknown> }).choose(),
      restoreBackup: () => (window as unknown as { restore(): Promise<boolean> }).restore(),
    }
    Object.assign(window, { desktop })
  })
}

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('backs up to the chosen folder now and daily, as the overview shows', async ({
  page,
  host,
  alice,
  folder,
}) => {
  await aFile(alice, 'lantern.apk')
  await page.goto('/host')
  await expect(page.getByText('Backups are off.')).toBeVisible()
  await page.getByRole('link', { name: 'Set up backups' }).click()
  await expect(page).toHaveURL('/host/data')
  const backups = card(page, 'Backups')
  await backups.getByRole('button', { name: 'Choose a folder' }).click()
  await expect(backups).toContainText(folder)
  await backups.getByRole('button', { name: 'Back up now' }).click()
  await expect(backups).toContainText('Last backup just now: 1 file, 1 without new disk space.')
  const daily = backups.getByRole('switch', { name: 'Daily backup' })
  await daily.click()
  await expect(daily).toBeChecked()
  await expect.poll(async () => (await host.inside.backups.shown()).daily).toBe(true)
  await expect(backups.getByRole('button', { name: 'Restore from a backup…' })).toBeVisible()

  await rm(folder, { recursive: true })
  await backups.getByRole('button', { name: 'Back up now' }).click()
  await expect(backups.getByRole('alert')).toContainText(
    `The disk of your backups is not connected: ${folder}. Connect it, or choose another folder.`,
  )
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await page.getByRole('link', { name: 'Overview' }).click()
  await expect(page.getByRole('region', { name: 'Last backup' })).toContainText(
    'The last backup failed',
  )
})

test('a move says what it would mean, how far it is, and can be cancelled', async ({
  page,
  host,
  alice,
  folder,
}) => {
  await aFile(alice, 'lantern.apk')
  const paused = new Promise<never>(() => undefined)
  host.inside.dataFolder.attend({ switchOver: () => undefined, trash: () => paused })
  // An upload that does not end keeps the move from switching over.
  host.inside.transfers.totals = () => ({ downloads: 0, uploads: 1, downloaders: 0, speed: 0 })
  await page.goto('/host/data')
  const data = card(page, 'Data folder')
  await data.getByRole('button', { name: 'Move to another folder' }).click()
  await answer(page, `move to ${folder}.`, 'Move data')
  await expect(data.getByRole('group', { name: 'Move' })).toContainText(
    'Slipway waits for uploads to end',
  )
  await expect(data.getByRole('progressbar')).toBeVisible()
  await data.getByRole('button', { name: 'Cancel move' }).click()
  await expect(data.getByRole('button', { name: 'Move to another folder' })).toBeVisible()
  expect(host.inside.dataFolder.isMoving).toBe(false)
})

test('a restore shows how far it is, and can be cancelled', async ({
  page,
  host,
  alice,
  folder,
}) => {
  await aFile(alice, 'lantern.apk')
  await backUp(host.dataDir, folder, new Date())
  host.inside.dataFolder.attend({ switchOver: () => undefined, trash: () => Promise.resolve() })
  // An upload that does not end keeps it from switching over.
  host.inside.transfers.totals = () => ({ downloads: 0, uploads: 1, downloaders: 0, speed: 0 })
  await page.goto('/host/data')
  await card(page, 'Backups').getByRole('button', { name: 'Restore from a backup…' }).click()
  const data = card(page, 'Data folder')
  await expect(data.getByRole('group', { name: 'Restore' })).toContainText(
    'Restored. Slipway waits for uploads to end, then restarts in',
  )
  await data.getByRole('button', { name: 'Cancel restore' }).click()
  await expect(data.getByRole('button', { name: 'Move to another folder' })).toBeVisible()
})

test('explains why a folder cannot be used', async ({ page, host, folder, complaints }) => {
  host.inside.dataFolder.attend({ switchOver: () => undefined, trash: () => Promise.resolve() })
  await rm(folder, { recursive: true })
  await page.goto('/host/data')
  await card(page, 'Data folder').getByRole('button', { name: 'Move to another folder' }).click()
  await expect(page.getByRole('alert')).toContainText(`The folder ${folder} does not exist.`)
  const backups = card(page, 'Backups')
  await backups.getByRole('button', { name: 'Choose a folder' }).click()
  await expect(page.getByRole('alert')).toHaveText(`The folder ${folder} does not exist.`)
  await mkdir(folder)
  await backups.getByRole('button', { name: 'Choose a folder' }).click()
  await expect(backups).toContainText(folder)
  await expect(page.getByText(`The folder ${folder} does not exist.`)).toBeHidden()
  complaints.length = 0
})
