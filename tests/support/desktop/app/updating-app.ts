import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { electronPath, repoRoot, testSwitches } from './launch'

/**
 * An app of another developer in version 1.0.0, which only updates itself, as the documentation of
 * its updater says.
 */
const MAIN = `
const { app } = require('electron')
const { AppImageUpdater, NsisUpdater } = require(${JSON.stringify(join(repoRoot, 'node_modules/electron-updater'))})
app.whenReady().then(async () => {
  const isWindows = process.env.UPDATE_FOR === 'win32'
  const updater = isWindows ? new NsisUpdater() : new AppImageUpdater()
  // The updater's own switch for its tests on other systems; it then also fails instead of
  // downloading everything.
  if (isWindows) updater._testOnlyOptions = { platform: 'win32', isUseDifferentialDownload: true }
  updater.logger = console
  updater.forceDevUpdateConfig = true
  updater.disableWebInstaller = true
  updater.autoInstallOnAppQuit = !isWindows
  await updater.checkForUpdates()
  const [file] = await updater.downloadUpdate()
  console.log('DOWNLOADED=' + file)
}).catch(console.error).finally(() => app.quit())
`

interface Updating {
  /** The folder of the app, its settings and its cache. */
  folder: string
  feed: string
  /**
   * The installed AppImage; undefined: the app is one for Windows, whose installer is in the cache.
   */
  appImage?: string
}

/** The folder where the updater keeps the installer of the installed version. */
export const cacheOf = (folder: string) => join(folder, 'cache/rocket-updater')

/**
 * Starts the app, lets it update itself and quit, which installs an AppImage. Returns its log, and
 * the file that it downloaded.
 */
export async function updateItself({
  folder,
  feed,
  appImage,
}: Updating): Promise<{ log: string; file: string }> {
  const appDir = join(folder, 'app')
  await mkdir(appDir, { recursive: true })
  await writeFile(
    join(appDir, 'package.json'),
    JSON.stringify({ name: 'rocket', version: '1.0.0', main: 'main.cjs' }),
  )
  await writeFile(join(appDir, 'main.cjs'), MAIN)
  const config = ['provider: generic', `url: ${feed}`, 'updaterCacheDirName: rocket-updater', '']
  await writeFile(join(appDir, 'dev-app-update.yml'), config.join('\n'))
  const child = spawn(electronPath(), [...testSwitches, appDir], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      ...process.env,
      XDG_CACHE_HOME: join(folder, 'cache'),
      XDG_CONFIG_HOME: join(folder, 'config'),
      ...(appImage === undefined ? { UPDATE_FOR: 'win32' } : { APPIMAGE: appImage }),
    },
  })
  const [log] = await Promise.all([text(child.stdout), once(child, 'close')])
  return { log, file: /DOWNLOADED=(.*)/.exec(log)?.[1] ?? log }
}
