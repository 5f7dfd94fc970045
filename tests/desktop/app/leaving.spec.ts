import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type ElectronApplication } from 'playwright/test'
import { loaded, test } from '../../support/desktop/desktop-test'
import {
  electronPath,
  launch,
  quit,
  repoRoot,
  testSwitches,
} from '../../support/desktop/app/launch'
import { Host, until } from '../../support/world/process'

/** Answers the next questions in place of the person, and counts them. */
async function answer(app: ElectronApplication, choice: 'Leave' | 'Stay'): Promise<void> {
  await app.evaluate(({ dialog }, button) => {
    const asked = { times: 0 }
    Object.assign(globalThis, { asked })
    const stand = (...args: unknown[]) => {
      asked.times++
      return (args.at(-1) as { buttons: string[] }).buttons.indexOf(button)
    }
    dialog.showMessageBoxSync = stand
  }, choice)
}

const timesAsked = (app: ElectronApplication) =>
  app.evaluate(() => (globalThis as unknown as { asked: { times: number } }).asked.times)

test('a window with uploads under way asks before it closes', async ({ dataDir }) => {
  const app = await launch(dataDir, { dialogs: true })
  const page = await loaded(app)
  // As the page does during an upload; the click is needed because untouched pages may not object.
  await page.evaluate(() =>
    window.addEventListener('beforeunload', (event) => event.preventDefault()),
  )
  await page.getByRole('heading', { level: 1 }).first().click()

  await answer(app, 'Stay')
  await quit(app)
  await expect.poll(() => timesAsked(app)).toBe(1)
  expect(await page.evaluate(async () => (await fetch('/api/host')).status)).toBe(200)

  await answer(app, 'Leave')
  const ending = once(app.process(), 'exit')
  await quit(app)
  expect(await ending).toEqual([0, null])
})

const phases: [phase: string, isIn: (dataDir: string) => Promise<boolean>][] = [
  ['opens its library', async (dataDir) => (await readdir(dataDir)).includes('slipway.lock')],
  [
    'loads its window',
    (dataDir) =>
      readFile(join(dataDir, 'logs/slipway.log'), 'utf8').then(
        (log) => log.includes('host started'),
        () => false,
      ),
  ],
]
for (const [phase, isIn] of phases)
  test(`a quit while the app ${phase} leaves nothing for the next start to recover`, async ({
    dataDir,
  }) => {
    const args = [...testSwitches, repoRoot, '--data', dataDir]
    const app = spawn(electronPath(), args, { stdio: 'ignore' })
    const ending = once(app, 'exit')
    await until(() => isIn(dataDir))
    app.kill('SIGTERM')
    expect(await ending).toEqual([0, null])

    const host = await Host.start(dataDir)
    await host.stop()
    expect(host.stdout + host.stderr).not.toContain('did not shut down cleanly')
  })
