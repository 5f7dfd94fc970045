import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type ElectronApplication } from 'playwright/test'
import { signFeeds } from '../../../scripts/package/sign-feeds'
import { upload } from '../../support/world/upload'
import { appImage, BLOCK, feedOf, laterBlocks, someBlocks } from '../../support/packages/app-image'
import { loaded, test as base } from '../../support/desktop/desktop-test'
import { launch } from '../../support/desktop/app/launch'
import { clickMenu } from '../../support/desktop/app/menu'
import { startPublisher } from '../../support/desktop/another-host'
import { appWithKey, electronOfDeb } from '../../support/desktop/app/signed-app'

const FEED = 'latest-linux.yml'
const PROGRAM = 'Slipway-9.0.0-linux-x64.AppImage'

interface Feed {
  url: string
  publish(filename: string, bytes: string | Uint8Array<ArrayBuffer>): Promise<void>
  /** Publishes the text of the feed with its signature, as `npm run package` makes it. */
  publishSigned(text: string, key: KeyObject): Promise<void>
  /** The bytes of all finished downloads of the program, as the host shows them. */
  sent(): Promise<number>
}

/** An app with an update key, and the signer. */
interface SignedApp {
  appDir: string
  key: KeyObject
}

/** `test` with another Slipway host, on which a public project is the feed. */
const test = base.extend<{ feed: Feed; signed: SignedApp }>({
  signed: async ({ dataDir }, use) => {
    const appDir = join(dataDir, 'app')
    await use({ appDir, key: await appWithKey(appDir) })
  },
  feed: async ({ dataDir }, use) => {
    const folder = join(dataDir, 'another-host')
    const { host, client, browser, project } = await startPublisher(folder, 'Slipway')
    const form = { is_public: 'true', project_id: project.slug }
    const publish = async (name: string, bytes: string | Uint8Array<ArrayBuffer>) => {
      await upload(browser.fetch, new File([bytes], name), form)
    }
    await use({
      url: `${host.url}/api/projects/${project.slug}/latest`,
      publish,
      async publishSigned(text, key) {
        await writeFile(join(folder, FEED), text)
        expect(await signFeeds(folder, key)).toEqual([FEED])
        for (const name of [FEED, `${FEED}.sig`])
          await publish(name, await readFile(join(folder, name), 'utf8'))
      },
      async sent() {
        const { recent } = (await client.activity.now({})).activity
        const downloads = recent.filter(
          (it) => it.direction === 'download' && it.filename === PROGRAM,
        )
        return downloads.reduce((sum, { bytes }) => sum + bytes, 0)
      },
    })
    await host.stop()
  },
})

/** Answers every dialog as a person does who wants the update on quit, and records the texts. */
async function answerDialogs(app: ElectronApplication): Promise<() => Promise<string[]>> {
  await app.evaluate(({ dialog }) => {
    const said: string[] = []
    Object.assign(globalThis, { said })
    const showMessageBox = ({ message, detail = '', buttons = [] }: Electron.MessageBoxOptions) => {
      said.push(`${message} ${detail}`)
      const response = buttons.findIndex((button) =>
        ['Download', 'When I quit', 'Close'].includes(button),
      )
      return Promise.resolve({ response })
    }
    Object.assign(dialog, { showMessageBox })
  })
  return () => app.evaluate(() => (globalThis as unknown as { said: string[] }).said)
}

/**
 * Opens the app with its dialogs answered. `check` checks for updates and returns all texts, and
 * the new ones.
 */
async function openWith(dataDir: string, options: Parameters<typeof launch>[1]) {
  const app = await launch(dataDir, { dialogs: true, ...options })
  await loaded(app)
  const said = await answerDialogs(app)
  const check = async (count: number) => {
    await clickMenu(app, 'updates')
    await expect.poll(async () => (await said()).length, { timeout: 20_000 }).toBe(count)
    return (await said()).slice(-2)
  }
  return { app, check }
}

/**
 * Answers dialogs with their first button, checks for updates, and returns the page that was
 * opened.
 */
async function pageOpenedBy(app: ElectronApplication): Promise<() => Promise<string | undefined>> {
  await loaded(app)
  await app.evaluate(({ dialog, shell }) => {
    Object.assign(dialog, { showMessageBox: () => Promise.resolve({ response: 0 }) })
    Object.assign(shell, {
      openExternal: (url: string) => Promise.resolve(Object.assign(globalThis, { url })),
    })
  })
  await clickMenu(app, 'updates')
  return () => app.evaluate(() => (globalThis as { url?: string }).url)
}

/** The files of a person with an AppImage: the program, and its download folder. */
async function appImageAt(dataDir: string, bytes: Buffer) {
  const own = join(dataDir, 'slipway.AppImage')
  await writeFile(own, bytes, { mode: 0o755 })
  const cache = join(dataDir, 'cache')
  return {
    own,
    downloads: join(cache, 'slipway-updater'),
    env: { APPIMAGE: own, XDG_CACHE_HOME: cache },
  }
}

const follow = (dataDir: string, { url }: Feed) =>
  writeFile(join(dataDir, 'settings.json'), JSON.stringify({ port: 0, update_feed: url }))

test.skip(process.platform !== 'linux', 'the updater of Linux')

test('an AppImage updates from another Slipway: signed, newer and complete, by the blocks that differ', async ({
  dataDir,
  feed,
  signed: { appDir, key },
}) => {
  const blocks = someBlocks()
  const [old, next] = [appImage(blocks), appImage(laterBlocks(blocks))]
  const { own, downloads, env } = await appImageAt(dataDir, old.bytes)
  await follow(dataDir, feed)
  await feed.publish(PROGRAM, new Uint8Array(next.bytes))
  await feed.publishSigned(feedOf('0.0.1', PROGRAM, next), key)

  const { app, check } = await openWith(dataDir, { appDir, env })
  expect((await check(1)).at(-1)).toMatch(/is the newest version/)

  await feed.publishSigned(feedOf('9.0.0', PROGRAM, old, 'Faster downloads'), key)
  const [offered, failed] = await check(3)
  expect(offered).toMatch(/9\.0\.0 is available[^]+Faster downloads/)
  expect(failed).toMatch(
    /could not be downloaded[^]+does not match the SHA-512[^]+Nothing has changed/,
  )
  expect((await readFile(own)).equals(old.bytes)).toBe(true)

  await feed.publishSigned(feedOf('9.0.0', PROGRAM, next), key)
  const before = await feed.sent()
  expect((await check(5)).at(-1)).toMatch(/9\.0\.0 is ready/)
  const sent = (await feed.sent()) - before
  expect(existsSync(downloads)).toBe(true)
  await app.close()
  expect((await readFile(own)).equals(next.bytes)).toBe(true)
  const log = await readFile(join(dataDir, 'logs/slipway.log'), 'utf8')
  const shares = [...log.matchAll(/To download: [\d.,]+ KB \((\d+)%\)/g)]
  expect(Number(shares.at(-1)?.[1])).toBeLessThan(20)
  // The block map and 500 ranges, and not the whole file after them.
  expect(sent).toBeGreaterThan(500 * BLOCK)
  expect(sent).toBeLessThan(next.bytes.length / 5)
})

test('an update without a signature, or with another one, is not offered, and nothing is downloaded', async ({
  dataDir,
  feed,
  signed: { appDir, key },
}) => {
  const program = appImage(someBlocks())
  const { own, downloads, env } = await appImageAt(dataDir, program.bytes)
  await follow(dataDir, feed)
  await feed.publish(PROGRAM, new Uint8Array(program.bytes))
  await feed.publish(FEED, feedOf('9.0.0', PROGRAM, program))

  const { app, check } = await openWith(dataDir, { appDir, env })
  expect((await check(1)).at(-1)).toMatch(
    /could not check for updates[^]+without a signature \(latest-linux\.yml\.sig\)/,
  )
  await feed.publishSigned(
    feedOf('9.0.0', PROGRAM, program),
    generateKeyPairSync('ed25519').privateKey,
  )
  expect((await check(2)).at(-1)).toMatch(/could not check for updates[^]+does not match the key/)
  await feed.publishSigned(feedOf('9.0.0', PROGRAM, program), key)
  await feed.publish(FEED, feedOf('9.0.1', PROGRAM, program))
  expect((await check(3)).at(-1)).toMatch(/could not check for updates[^]+does not match the key/)
  await app.close()
  expect(existsSync(downloads)).toBe(false)
  expect((await readFile(own)).equals(program.bytes), 'the program is unchanged').toBe(true)

  const { app: keyless, check: checkKeyless } = await openWith(dataDir, { env })
  expect((await checkKeyless(1)).at(-1)).toMatch(
    /could not check for updates[^]+built without an update key/,
  )
  await keyless.close()
})

test('without a feed nothing is asked; a copy that cannot replace itself names the page', async ({
  dataDir,
  feed,
  signed: { appDir, key },
}) => {
  const { app, check } = await openWith(dataDir, { appDir })
  expect((await check(1)).at(-1)).toMatch(/has no update feed/)
  await app.close()

  await feed.publishSigned(feedOf('9.0.0', PROGRAM, appImage(someBlocks())), key)
  await follow(dataDir, feed)
  const again = await launch(dataDir, { appDir, dialogs: true })
  const opened = await pageOpenedBy(again)
  await expect
    .poll(opened, { timeout: 20_000 })
    .toBe(feed.url.replace('/api/projects/slipway/latest', '/p/slipway'))
  await again.close()
  expect(await readFile(join(dataDir, 'logs/slipway.log'), 'utf8')).toContain(
    'a newer version is available',
  )
})

test('a system package is never installed by the app, which names the page instead', async ({
  dataDir,
  feed,
  signed: { appDir, key },
}) => {
  const program = appImage(someBlocks())
  const { downloads, env } = await appImageAt(dataDir, program.bytes)
  const executablePath = await electronOfDeb(join(dataDir, 'electron'))
  await feed.publish('slipway.deb', new Uint8Array(program.bytes))
  await feed.publishSigned(feedOf('9.0.0', 'slipway.deb', program), key)
  await follow(dataDir, feed)

  const app = await launch(dataDir, { appDir, executablePath, dialogs: true, env })
  const opened = await pageOpenedBy(app)
  await expect
    .poll(opened, { timeout: 20_000 })
    .toBe(feed.url.replace('/api/projects/slipway/latest', '/p/slipway'))
  await app.close()
  expect(existsSync(downloads)).toBe(false)
})
