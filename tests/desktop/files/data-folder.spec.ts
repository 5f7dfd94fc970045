import { once } from 'node:events'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type ElectronApplication, type Page } from 'playwright/test'
import { backUp } from '../../../server/data/backup/backup'
import { PASSWORD } from '../../support/world/password'
import { loaded, test } from '../../support/desktop/desktop-test'
import { launch, runToEnd } from '../../support/desktop/app/launch'
import { addPeople, signedIn } from '../../support/world/people'
import { publicFile } from '../../support/desktop/transfer'
import { sha256 } from '../../support/system/sha256'

interface MessageBox {
  detail?: string
  buttons?: string[]
}

/**
 * Chooses this folder in place of the person, starts again only in words, and keeps what goes to
 * the trash.
 */
async function stand(app: ElectronApplication, folder: string, trash: string): Promise<void> {
  await app.evaluate(
    ({ app: program, dialog, shell }, given) => {
      const { renameSync } = process.getBuiltinModule('node:fs')
      Object.assign(dialog, {
        showOpenDialog: () => Promise.resolve({ canceled: false, filePaths: [given.folder] }),
      })
      Object.assign(program, { relaunch: () => console.error('RELAUNCH') })
      Object.assign(shell, {
        trashItem: (path: string) => Promise.resolve(renameSync(path, given.trash)),
      })
    },
    { folder, trash },
  )
}

async function signInAt(page: Page): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/login`)
  await page.getByLabel('Username').fill('alice')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL('**/dashboard')
}

test('moves the data to the chosen folder, keeps running there, and moves the old folder to the trash', async ({
  dataDir,
}) => {
  const [home, target, trash] = [
    join(dataDir, 'home'),
    join(dataDir, 'disk'),
    join(dataDir, 'trash'),
  ]
  await mkdir(home)
  await mkdir(target)
  await writeFile(join(home, 'settings.json'), '{ "port": 0 }')
  await addPeople(home, ['alice'])
  const app = await launch(home, { dialogs: true })
  const page = await loaded(app)
  const { origin } = new URL(page.url())
  const { digest } = await publicFile(origin, await signedIn(origin, 'alice'), 'alice', 300_000)
  await stand(app, target, trash)
  await signInAt(page)
  await page.goto(`${origin}/host/data`)
  const ending = once(app.process(), 'exit')
  await page.getByRole('button', { name: 'Move to another folder' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Move data' }).click()
  expect(await ending).toEqual([0, null])

  const next = await launch(home, { dialogs: true })
  const moved = await loaded(next)
  await stand(next, target, trash)
  await expect(
    moved.getByRole('status').filter({ hasText: `The data is now in ${target}.` }),
  ).toBeVisible()
  const { client } = await signedIn(new URL(moved.url()).origin, 'alice')
  const [file] = (await client.files.mine({})).files
  const bytes = await fetch(`${new URL(moved.url()).origin}/api/files/${file!.file_id}/download`)
  expect(sha256(Buffer.from(await bytes.arrayBuffer()))).toBe(digest)
  // The window has kept its session: its profile stays where it was.
  await moved.goto(`${new URL(moved.url()).origin}/host/data`)
  await moved.getByRole('button', { name: 'Move old folder to the trash' }).click()
  await moved.getByRole('dialog').getByRole('button', { name: 'Move to trash' }).click()
  await expect(moved.getByText('The old folder is in the trash')).toBeVisible()
  expect(await readdir(trash)).toContain('blobs')
  expect(await readdir(home)).not.toContain('blobs')
  await next.close()
})

test('starts a new host from a backup', async ({ dataDir }) => {
  const [old, home, backups] = ['old', 'home', 'backups'].map((name) => join(dataDir, name))
  for (const folder of [old!, home!]) {
    await mkdir(folder)
    await writeFile(join(folder, 'settings.json'), '{ "port": 0 }')
  }
  await addPeople(old!, ['alice'])
  const { path: backup } = await backUp(old!, backups!, new Date())

  const app = await launch(home!, { dialogs: true })
  const page = await loaded(app)
  await stand(app, backups!, join(dataDir, 'trash'))
  await app.evaluate(({ dialog }) => {
    const showMessageBox = (_window: unknown, { detail = '', buttons = [] }: MessageBox) => {
      console.error(detail)
      // It asks for the form of the backup first.
      const response = Math.max(buttons.indexOf('Folder'), buttons.indexOf('Restore'))
      return Promise.resolve({ response, checkboxChecked: false })
    }
    Object.assign(dialog, { showMessageBox })
  })
  const ending = once(app.process(), 'exit')
  await page.getByRole('button', { name: 'Start from a backup…' }).click()
  expect(await ending).toEqual([0, null])

  const next = await launch(home!, { dialogs: true })
  const restored = await loaded(next)
  await expect(
    restored.getByRole('status').filter({ hasText: 'Sign in with an account of the backup.' }),
  ).toBeVisible()
  const { client } = await signedIn(new URL(restored.url()).origin, 'alice')
  expect((await client.accounts.me({})).user.username).toBe('alice')
  expect(await readdir(backup), 'the backup is only read').toContain('manifest.json')
  await next.close()
})

/**
 * Answers each question of the app with the next of these buttons, and connects the disk before the
 * last.
 */
const answering = (path: string, answers: readonly string[], empty: string, told: string) => `
  const { dialog } = require('electron')
  const { appendFileSync, existsSync, renameSync } = require('node:fs')
  const answers = ${JSON.stringify(answers)}
  dialog.showMessageBox = async ({ message, buttons = [] }) => {
    appendFileSync(${JSON.stringify(told)}, message + '\\n')
    if (buttons.length === 0) return { response: 0 }
    if (answers.length === 1) renameSync(${JSON.stringify(`${path}-unplugged`)}, ${JSON.stringify(path)})
    return { response: buttons.indexOf(answers.shift()) }
  }
  dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [${JSON.stringify(empty)}] })
`

test('rebuilds a lost library when the person asks, shows passwords', async ({ dataDir }) => {
  const [path, told] = [join(dataDir, 'data'), join(dataDir, 'told')]
  await mkdir(path)
  await writeFile(join(path, 'settings.json'), '{ "port": 0 }')
  await addPeople(path, ['alice'])
  for (const name of (await readdir(path)).filter((it) => it.startsWith('library.')))
    await rm(join(path, name))
  expect(await runToEnd(['--data', path])).toEqual({
    code: 1,
    stderr: expect.stringContaining(`The library of ${path} is missing, but`) as unknown as string,
  })

  const before = join(dataDir, 'answering.cjs')
  await writeFile(before, answering(path, ['Rebuild the library', 'Continue', 'Quit'], path, told))
  const app = await launch(path, { dialogs: true, before: ['-r', before] })
  const page = await loaded(app)
  await page.goto(`${new URL(page.url()).origin}/login`)
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
  expect((await readFile(told, 'utf8')).trim().split('\n')).toEqual([
    "Slipway's library is missing",
    'The library is rebuilt. Note the new passwords.',
  ])
  await app.close()
})

test('waits for the missing data disk instead of creating a new library', async ({ dataDir }) => {
  const [home, path, told] = [join(dataDir, 'home'), join(dataDir, 'disk'), join(dataDir, 'told')]
  for (const folder of [home, path, `${dataDir}/empty`]) await mkdir(folder)
  await writeFile(join(path, 'settings.json'), '{ "port": 0 }')
  await addPeople(path, ['alice'])
  const first = await launch(path)
  await loaded(first)
  await first.close()
  await writeFile(
    join(home, 'data-folder.json'),
    JSON.stringify({ path, moving: null, old: null, news: null }),
  )
  await rename(path, `${path}-unplugged`)
  expect(await runToEnd(['--data', home])).toEqual({
    code: 1,
    stderr: expect.stringContaining(
      `The data folder ${path} is missing. Connect its disk`,
    ) as unknown as string,
  })

  const before = join(dataDir, 'answering.cjs')
  const answers = ['Try again', 'Choose another folder …', 'Try again']
  await writeFile(before, answering(path, answers, `${dataDir}/empty`, told))
  const app = await launch(home, { dialogs: true, before: ['-r', before] })
  const page = await loaded(app)
  expect((await readFile(told, 'utf8')).trim().split('\n')).toEqual([
    "Slipway's data folder is missing",
    "Slipway's data folder is missing",
    'This folder cannot be used',
    "Slipway's data folder is missing",
  ])
  const { client } = await signedIn(new URL(page.url()).origin, 'alice')
  expect((await client.accounts.me({})).user.username).toBe('alice')
  expect(await readdir(`${dataDir}/empty`)).toEqual([])
  await app.close()
})
