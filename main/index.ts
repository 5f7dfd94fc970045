import { randomBytes } from 'node:crypto'
import { app } from 'electron'
import { forgetFolder, hostLog, isMissing, keepYoungGenerationSmall, type FoundData } from '../server'
import { showAbout, showLicences } from './about'
import { askForDisk } from './ask-for-disk'
import { answerBridge, showFolder } from './bridge'
import { showBusy } from './busy'
import { answerFolderChoice } from './choose-folder'
import { closeOnUncaughtErrors, endOnUncaughtErrors } from './crash'
import { findDataFolder } from './find-data-folder'
import { followLinks, openPage } from './deep-link'
import { failToStart } from './failure'
import { followAddresses } from './follow-addresses'
import { goOnWhenBack } from './go-on-when-back'
import { originOf, startHost } from './host'
import { keepHosting } from './keep-hosting'
import { pathInArguments } from './link-path'
import { followLoginSetting } from './login-item'
import { setMenu } from './menu'
import { moveDataFolder } from './move-data-folder'
import { giveNotices } from './notices'
import { filesOfThisStart, OpenedFiles } from './opened-files'
import { readOptions, type Options } from './options'
import { openSession } from './own-session'
import { recoverPages } from './page-crash'
import { followPower } from './power'
import { reportProblem } from './problem-report'
import { useProfile } from './profile'
import { tellOfProjects } from './project-notices'
import { quitInOrder } from './quit'
import { confineContents } from './security'
import { Sharing } from './sharing'
import { addToStartReport, answerStartReport } from './start-report'
import { showTray } from './status-tray'
import { followTheme } from './theme'
import { Updates } from './updates'
import { focusWindow, openWindow } from './window'

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
  const startsHidden = options.hidden === true || server.context.settings.get().desktop.startHidden
  const hidden = startsHidden && opened.page === undefined
  const window = openWindow({ origin, session, profileDir: options.profileDir, path, hidden })
  answerFolderChoice(origin, window, server)
  opened.handTo({ server, window, origin })
  const sharing = new Sharing(server)
  const follow = () => followAddresses({ server, window, origin, sharing })
  server.context.addresses.onChange(follow)
  server.context.reach.onChange(follow)
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
