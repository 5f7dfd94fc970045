import { randomBytes } from 'node:crypto'
import { app } from 'electron'
import { forgetFolder, hostLog, isMissing, keepYoungGenerationSmall, type FoundData } from '../server'
import { showAbout, showLicences } from './shell/about'
import { askForDisk } from './start/ask-for-disk'
import { answerBridge, showFolder } from './window/bridge'
import { showBusy } from './quit/busy'
import { answerFolderChoice } from './files/choose-folder'
import { closeOnUncaughtErrors, endOnUncaughtErrors } from './quit/crash'
import { findDataFolder } from './start/find-data-folder'
import { followLinks, openPage } from './files/deep-link'
import { failToStart } from './start/failure'
import { followAddresses } from './start/follow-addresses'
import { goOnWhenBack } from './start/restart-when-back'
import { originOf, startHost } from './start/host'
import { keepHosting } from './quit/keep-hosting'
import { pathInArguments } from './files/link-path'
import { followLoginSetting } from './shell/login-item'
import { setMenu } from './shell/menu'
import { moveDataFolder } from './files/move-data-folder'
import { giveNotices } from './notices/notices'
import { filesOfThisStart, OpenedFiles } from './files/opened-files'
import { readOptions, type Options } from './start/options'
import { openSession } from './window/own-session'
import { recoverPages } from './window/page-crash'
import { followPower } from './shell/power'
import { reportProblem } from './shell/problem-report'
import { useProfile } from './start/profile'
import { tellOfProjects } from './notices/project-notices'
import { quitInOrder } from './quit/quit'
import { confineContents } from './window/security'
import { Sharing } from './shell/sharing'
import { addToStartReport, answerStartReport } from './start/start-report'
import { showTray } from './shell/status-tray'
import { followTheme } from './window/theme'
import { Updates } from './updates/updates'
import { focusWindow, openWindow } from './window/window'

endOnUncaughtErrors()
keepYoungGenerationSmall()
app.setName('Slipway')
main().catch(failToStart)

/** One window at a time: a second start hands over to the first and ends. */
async function main(): Promise<void> {
  const options = readOptions(process.argv)
  if (options.startEmpty === true) forgetFolder(options.dataDir)
  if (isMissing(options.dataDir)) return askForDisk(options.dataDir)
  useProfile(options)
  const handedOver = filesOfThisStart()
  if (!app.requestSingleInstanceLock(handedOver)) return app.exit(0)
  const opened = new OpenedFiles(handedOver.files)
  const data = await findDataFolder(options.dataDir)
  hostLog.keep({ dataDir: data.dataDir, level: options.logLevel })
  if (data.news !== undefined) addToStartReport(data.news)
  await app.whenReady()
  await start(options, data, opened)
}

async function start(options: Options, data: FoundData, opened: OpenedFiles): Promise<void> {
  const secret = randomBytes(32).toString('base64url')
  const server = await startHost(options, data, secret)
  hostLog.record('info', { version: app.getVersion(), pid: process.pid, url: server.url }, 'the host has started')
  quitInOrder(server)
  closeOnUncaughtErrors(server)
  followTheme(server)
  const origin = originOf(server)
  confineContents(origin)
  recoverPages(origin)
  answerStartReport(origin, server)
  answerBridge(origin, data.dataDir, server)
  const session = openSession(origin, secret)
  const path = pathInArguments(process.argv) ?? opened.page ?? '/'
  const startsHidden = options.hidden === true || server.context.data.settings.get().desktop.startHidden
  const hidden = startsHidden && opened.page === undefined
  const window = openWindow({ origin, session, profileDir: options.profileDir, path, hidden })
  answerFolderChoice(origin, window, server)
  opened.handTo({ server, window, origin })
  const sharing = new Sharing(server)
  const follow = () => followAddresses({ server, window, origin, sharing })
  server.context.network.addresses.onChange(follow)
  server.context.network.reach.onChange(follow)
  keepHosting(window, server)
  const openSettings = () => openPage(window, origin, '/host/settings')
  showTray({ server, sharing, window, opened, openSettings })
  showBusy(server)
  followPower(server)
  giveNotices(server, () => focusWindow(window))
  tellOfProjects({ server, window, session, origin })
  moveDataFolder(server, window)
  void goOnWhenBack(server)
  followLoginSetting(server)
  const updates = new Updates({ server, window, profileDir: options.profileDir, openSettings })
  updates.follow()
  const help = { checkForUpdates: () => updates.ask(), showLicences: () => showLicences(origin, session) }
  setMenu({
    sharing,
    openPage: (page) => openPage(window, origin, page),
    showDataFolder: () => showFolder(data.dataDir),
    reportProblem: () => reportProblem(server, data.dataDir),
    showAbout: () => showAbout(help),
    ...help,
  })
  followLinks(window, origin)
  app.on('second-instance', () => focusWindow(window))
}
