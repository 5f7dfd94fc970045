import { randomBytes } from 'node:crypto'
import { app } from 'electron'
import { forgetFolder, hostLog, isMissing, type FoundData } from '../server'
import { OpenedLinks } from './files/deep-link'
import { moveDataFolder } from './files/move-data-folder'
import { filesOfThisStart, OpenedFiles } from './files/opened-files'
import { showNotices } from './notices/notices'
import { showProjectNotices } from './notices/project-notices'
import { endOnUncaughtErrors } from './quit/crash'
import { hostUntilQuit } from './host-until-quit'
import { showShell } from './show-shell'
import { APP_ID } from './start/app-id'
import { askForDisk } from './start/ask-for-disk'
import { failToStart } from './failure'
import { findDataFolder } from './start/find-data-folder'
import { startHost } from './start/host'
import { readOptions, type Options } from './start/options'
import { useProfile } from './start/profile'
import type { SmokeRun } from './smoke/smoke'
import { SmokeReport } from './smoke/smoke-report'
import { addToStartReport } from './start-report'
import { showWindow } from './show-window'
import { focusWindow } from './window/window'

endOnUncaughtErrors()
app.setName('Slipway')
if (process.platform === 'win32' && app.isPackaged) app.setAppUserModelId(APP_ID)
main().catch(failToStart)

async function main(): Promise<void> {
  const options = readOptions(process.argv)
  if (options.smoke === undefined) return open(options)

  const report = new SmokeReport(options.smoke)
  try {
    const { smokeOptions } = await import('./smoke/smoke')
    await open(smokeOptions(options), report)
  } catch (error) {
    report.fail(error)
    throw error
  }
}

/** Runs one instance at a time: a second start passes its request to the first and ends. */
async function open(options: Options, report?: SmokeReport): Promise<void> {
  if (options.startEmpty === true) forgetFolder(options.dataDir)
  if (isMissing(options.dataDir)) return askForDisk(options.dataDir)
  useProfile(options)

  const handedOver = filesOfThisStart()
  if (!app.requestSingleInstanceLock(handedOver)) return app.exit(0)

  const opened = new OpenedFiles(handedOver.files)
  const links = new OpenedLinks()
  const data = await findDataFolder(options.dataDir, options.startEmpty)
  hostLog.keep({ dataDir: data.dataDir, level: options.logLevel })
  if (data.news !== undefined) addToStartReport(data.news)
  await app.whenReady()
  const run = await start(options, data, { opened, links })
  if (report !== undefined) await (await import('./smoke/smoke')).runSmoke(report, run)
}

/** Files and links that the system asked this start to open. */
interface Requests {
  opened: OpenedFiles
  links: OpenedLinks
}

async function start(
  options: Options,
  data: FoundData,
  { opened, links }: Requests,
): Promise<SmokeRun> {
  const secret = randomBytes(32).toString('base64url')
  const server = await startHost(options, data, secret)
  hostLog.record(
    'info',
    { version: app.getVersion(), pid: process.pid, url: server.url },
    'host started',
  )

  const view = showWindow({ server, options, secret, dataDir: data.dataDir, opened, links })
  hostUntilQuit(server, view.window)
  showShell({ server, ...view, options, dataDir: data.dataDir, opened })
  showNotices(server, () => focusWindow(view.window))
  showProjectNotices({ server, ...view })
  moveDataFolder(server, view.window)

  return { server, ...view, secret, options, data }
}
