import { once } from 'node:events'
import { existsSync } from 'node:fs'
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type ElectronApplication } from 'playwright/test'
import { loaded, test as base } from '../../support/desktop/desktop-test'
import { answer, isAsked, launchAsking } from '../../support/desktop/app/dialogs'
import { launch, runToEnd } from '../../support/desktop/app/launch'

/** A disk other than that of the home folder, if the system has a shared one. */
const OTHER_DISK = '/dev/shm'

const test = base.extend<{ disk: string }>({
  disk: async ({}, use) => {
    const disk = await mkdtemp(join(OTHER_DISK, 'slipway-disk-'))
    await writeFile(join(disk, 'settings.json'), '{ "port": 0 }')
    await use(disk)
    await rm(disk, { recursive: true, force: true })
  },
})

/** Instead of starting again, the app writes into this file. */
const tellRelaunch = (app: ElectronApplication, told: string) =>
  app.evaluate(({ app: program }, path) => {
    const { writeFileSync } = process.getBuiltinModule('node:fs')
    Object.assign(program, { relaunch: () => writeFileSync(path, 'RELAUNCH') })
  }, told)

base.skip(!existsSync(OTHER_DISK), 'this system has no such disk')

test('asks for the disk instead of creating a new library in an emptied data folder', async ({
  disk,
  dataDir,
}) => {
  const first = await launch(disk)
  await loaded(first)
  await first.close()
  await rename(disk, `${disk}-unplugged`)
  await mkdir(disk)
  expect(await runToEnd(['--data', disk])).toEqual({
    code: 1,
    stderr: expect.stringContaining(
      'is empty, but it contained data before. Connect its disk',
    ) as unknown as string,
  })

  const told = join(dataDir, 'told')
  const app = await launchAsking(disk)
  const ending = once(app.process(), 'exit')
  await tellRelaunch(app, told)
  expect((await answer(app, 'Try again')).message).toBe("Slipway's data folder is empty")
  await isAsked(app)
  await rmdir(disk)
  await rename(`${disk}-unplugged`, disk)
  expect((await answer(app, 'Try again')).message).toBe("Slipway's data folder is empty")
  await ending
  expect(await readFile(told, 'utf8')).toBe('RELAUNCH')
  expect((await readdir(disk)).some((name) => name.startsWith('library.'))).toBe(true)
})

test('a disk that is pulled out and put back while the window is open: the page says so, and the app starts again', async ({
  dataDir,
}) => {
  const [disk, empty, path] = [join(dataDir, 'disk'), join(dataDir, 'empty'), join(dataDir, 'path')]
  for (const folder of [disk, empty]) await mkdir(folder)
  await writeFile(join(disk, 'settings.json'), '{ "port": 0 }')
  /** What is at the path from now on. */
  const mount = async (folder: string) => {
    await symlink(folder, `${path}-next`)
    await rename(`${path}-next`, path)
  }
  await mount(disk)
  const app = await launch(path)
  const page = await loaded(app)
  await tellRelaunch(app, join(dataDir, 'told'))
  const ending = once(app.process(), 'exit')
  await mount(empty)
  await expect
    .poll(() => page.evaluate(async () => (await (await fetch('/api/host')).json()) as unknown), {
      timeout: 20_000,
    })
    .toMatchObject({ host: { trouble: 'missing' } })
  await page.reload()
  await expect(
    page.getByRole('alert').filter({ hasText: 'The disk of this host is not connected' }),
  ).toBeVisible()
  await mount(disk)
  expect(await ending).toEqual([0, null])
  expect(await readFile(join(dataDir, 'told'), 'utf8')).toBe('RELAUNCH')
  // Chromium recreates the folder of its profile; no file of ours is there.
  expect((await readdir(empty)).filter((name) => name !== 'window')).toEqual([])
})
