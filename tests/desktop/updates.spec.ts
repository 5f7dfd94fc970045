import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type ElectronApplication } from 'playwright/test'
import { upload } from '../support/upload'
import { appImage, feedOf, laterBlocks, someBlocks } from './support/app-image'
import { loaded, test as base } from './support/desktop-test'
import { launch } from './support/launch'
import { clickMenu } from './support/menu'
import { serve } from './support/node-host'
import { addPeople, signedIn } from './support/person'

const FEED = 'latest-linux.yml'
const PROGRAM = 'Slipway-9.0.0-linux-x64.AppImage'

interface Feed {
  url: string
  publish(filename: string, bytes: string | Uint8Array<ArrayBuffer>): Promise<void>
}

/** `test` with another Slipway host, on which a public project is the feed. */
const test = base.extend<{ feed: Feed }>({
  feed: async ({ dataDir }, use) => {
    const folder = join(dataDir, 'another-host')
    await mkdir(folder)
    await addPeople(folder, ['alice'])
    const host = await serve(folder)
    const { client, browser } = await signedIn(host.origin, 'alice')
    const { project } = await client.projects.create({ title: 'Slipway', is_public: true })
    const form = { is_public: 'true', project_id: project.slug }
    await use({
      url: `${host.origin}/api/projects/${project.slug}/latest`,
      async publish(name, bytes) {
        await upload(browser.fetch, new File([bytes], name), form)
      },
    })
    await host.stop()
  },
})

/** Answers every dialog as somebody does who wants the update when they quit, and keeps what was said. */
async function answerDialogs(app: ElectronApplication): Promise<() => Promise<string[]>> {
  await app.evaluate(({ dialog }) => {
    const said: string[] = []
    Object.assign(globalThis, { said })
    const showMessageBox = ({ message, detail = '', buttons = [] }: Electron.MessageBoxOptions) => {
      said.push(`${message} ${detail}`)
      const response = buttons.findIndex((button) => ['Download', 'When I quit', 'Close'].includes(button))
      return Promise.resolve({ response })
    }
    Object.assign(dialog, { showMessageBox })
  })
  return () => app.evaluate(() => (globalThis as unknown as { said: string[] }).said)
}

test.skip(process.platform !== 'linux', 'the updater of Linux')

test('an AppImage takes from another Slipway what is newer and whole, by the blocks that differ', async ({
  dataDir,
  feed,
}) => {
  const blocks = someBlocks()
  const [old, next] = [appImage(blocks), appImage(laterBlocks(blocks))]
  const own = join(dataDir, 'slipway.AppImage')
  await writeFile(own, old.bytes, { mode: 0o755 })
  await writeFile(join(dataDir, 'settings.json'), JSON.stringify({ port: 0, desktop: { updateFeed: feed.url } }))
  await feed.publish(PROGRAM, new Uint8Array(next.bytes))
  await feed.publish(FEED, feedOf('0.0.1', PROGRAM, next))

  const app = await launch(dataDir, { dialogs: true, env: { APPIMAGE: own, XDG_CACHE_HOME: join(dataDir, 'cache') } })
  await loaded(app)
  const said = await answerDialogs(app)
  const check = async (count: number) => {
    await clickMenu(app, 'updates')
    await expect.poll(async () => (await said()).length, { timeout: 20_000 }).toBe(count)
    return (await said()).slice(-2)
  }
  expect((await check(1)).at(-1)).toMatch(/is the newest version/)

  await feed.publish(FEED, feedOf('9.0.0', PROGRAM, old, 'Faster downloads'))
  const [offered, failed] = await check(3)
  expect(offered).toMatch(/9\.0\.0 is there[^]+Faster downloads/)
  expect(failed).toMatch(/could not be downloaded[^]+SHA-512 differs[^]+Nothing has changed/)
  expect((await readFile(own)).equals(old.bytes)).toBe(true)

  await feed.publish(FEED, feedOf('9.0.0', PROGRAM, next))
  expect((await check(5)).at(-1)).toMatch(/9\.0\.0 is ready/)
  await app.close()
  expect((await readFile(own)).equals(next.bytes)).toBe(true)
  const log = await readFile(join(dataDir, 'logs/slipway.log'), 'utf8')
  const shares = [...log.matchAll(/To download: [\d.,]+ KB \((\d+)%\)/g)]
  expect(Number(shares.at(-1)?.[1])).toBeLessThan(20)
})

test('without a feed nothing is asked; a copy that cannot replace itself names the page', async ({ dataDir, feed }) => {
  const app = await launch(dataDir, { dialogs: true })
  const page = await loaded(app)
  const said = await answerDialogs(app)
  await clickMenu(app, 'updates')
  await expect.poll(said).toEqual([expect.stringMatching(/does not know where to look/)])
  await app.close()

  const some = appImage(someBlocks())
  await feed.publish(FEED, feedOf('9.0.0', PROGRAM, some))
  await writeFile(join(dataDir, 'settings.json'), JSON.stringify({ port: 0, desktop: { updateFeed: feed.url } }))
  expect(page.isClosed()).toBe(true)
  const again = await launch(dataDir, { dialogs: true })
  await loaded(again)
  await again.evaluate(({ dialog, shell }) => {
    Object.assign(dialog, { showMessageBox: () => Promise.resolve({ response: 0 }) })
    Object.assign(shell, { openExternal: (url: string) => Promise.resolve(Object.assign(globalThis, { url })) })
  })
  await clickMenu(again, 'updates')
  const opened = () => again.evaluate(() => (globalThis as { url?: string }).url)
  await expect.poll(opened).toBe(feed.url.replace('/api/projects/slipway/latest', '/p/slipway'))
  await again.close()
  expect(await readFile(join(dataDir, 'logs/slipway.log'), 'utf8')).toContain('a newer version is there')
})
