import type { RunningServer } from '../server'
import { openPage } from './files/deep-link'
import type { OpenedFiles } from './files/opened-files'
import { followAddresses } from './shell/follow-addresses'
import { restoreBackup } from './files/restore-backup'
import type { Options } from './start/options'
import { Updates } from './updates/updates'
import { showFolder } from './window/bridge'
import { followHistory } from './window/history'
import type { AppWindow } from './show-window'
import { showAbout, showLicences } from './shell/about'
import { followLoginSetting } from './shell/login-item'
import { setMenu } from './shell/menu'
import { followPower } from './shell/power'
import { reportProblem } from './shell/problem-report'
import { showTray } from './shell/status-tray'
import { routes } from '../server/contract/routes'

interface ShellDeps extends AppWindow {
  server: RunningServer
  options: Options
  dataDir: string
  opened: OpenedFiles
}

export function showShell({
  server,
  window,
  origin,
  session,
  options,
  dataDir,
  opened,
}: ShellDeps): void {
  server.onReachChange(() => followAddresses({ server, window, origin }))

  const open = (page: string) => openPage(window, origin, page)
  showTray({ server, window, opened, openPage: open })
  followPower(server)
  followLoginSetting(server, options.dataDir)

  const updates = new Updates({
    server,
    window,
    profileDir: options.profileDir,
    openSettings: () => open(routes.hostSettings),
  })
  updates.follow()

  const help = {
    checkForUpdates: () => updates.ask(),
    showLicences: () => showLicences(origin, session),
  }

  setMenu({
    server,
    openPage: open,
    openFiles: () => opened.ask(),
    history: followHistory(window),
    showKeys: () => {
      const { pathname, search } = new URL(window.webContents.getURL())
      open(`${pathname}${search}#keys`)
    },
    showDataFolder: () => showFolder(dataDir),
    restoreBackup: async () => {
      if (await restoreBackup(window, server)) open(routes.hostData)
    },
    reportProblem: () => reportProblem(server, dataDir),
    resetHostPassword: async () => open((await server.hostPasswordPath()) ?? routes.register),
    showAbout: () => showAbout(help),
    ...help,
  })
}
