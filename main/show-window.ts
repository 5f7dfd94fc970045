import { app, type BrowserWindow, type Session } from 'electron'
import type { RunningServer } from '../server'
import { answerFolderChoice } from './files/choose-folder'
import type { OpenedLinks } from './files/deep-link'
import type { OpenedFiles } from './files/opened-files'
import { answerRestore } from './files/restore-backup'
import { isHiddenStart } from './start/hidden-start'
import { originOf } from './start/host'
import type { Options } from './start/options'
import { answerStartReport } from './start-report'
import { answerBridge } from './window/bridge'
import { openSession } from './window/own-session'
import { recoverPages } from './window/page-crash'
import { confineContents } from './window/security'
import { followTheme } from './window/theme'
import { focusWindow, openWindow } from './window/window'

interface WindowDeps {
  server: RunningServer
  options: Options
  secret: string
  dataDir: string
  opened: OpenedFiles
  links: OpenedLinks
}

export interface AppWindow {
  window: BrowserWindow
  origin: string
  session: Session
}

export function showWindow({
  server,
  options,
  secret,
  dataDir,
  opened,
  links,
}: WindowDeps): AppWindow {
  followTheme(server)
  const origin = originOf(server)
  confineContents(origin)
  recoverPages(origin)
  answerStartReport(origin, server)
  answerBridge(origin, dataDir, server)

  const session = openSession(origin, secret)
  const firstPage = links.page ?? opened.page
  const hidden = isHiddenStart(server, options) && firstPage === undefined
  const window = openWindow({
    origin,
    session,
    profileDir: options.profileDir,
    path: firstPage ?? '/',
    hidden,
  })

  answerFolderChoice(origin, window, server)
  answerRestore(origin, window, server)
  opened.handTo({ server, window, origin })
  links.handTo(window, origin)
  app.on('second-instance', () => focusWindow(window))

  return { window, origin, session }
}
