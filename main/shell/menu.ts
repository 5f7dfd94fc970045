import { app, dialog, Menu, type MenuItemConstructorOptions } from 'electron'
import { realDeps, type RunningServer } from '../../server'
import { mayShowDialogs } from '../failure'
import { routes } from '../../server/contract/routes'
import type { History } from '../window/history'

export const SHARING_ITEM = 'share-on-network'

interface MenuDeps {
  server: RunningServer
  openPage: (path: string) => void
  openFiles: () => Promise<void>
  history: History
  /** Shows the keyboard shortcuts on the current page. */
  showKeys: () => void
  showDataFolder: () => Promise<void>
  restoreBackup: () => Promise<void>
  reportProblem: () => Promise<void>
  resetHostPassword: () => Promise<void>
  checkForUpdates: () => Promise<void>
  showAbout: () => Promise<void>
  showLicences: () => Promise<void>
}

interface Checkbox {
  checked: boolean
  enabled: boolean
}

const isMac = process.platform === 'darwin'

export function setMenu(deps: MenuDeps): void {
  const template: MenuItemConstructorOptions[] = [
    ...(isMac ? [{ role: 'appMenu' as const }] : []),
    { label: '&File', submenu: fileMenu(deps) },
    { role: 'editMenu', label: '&Edit' },
    { label: '&View', submenu: viewMenu() },
    { label: '&Go', submenu: goMenu(deps) },
    { role: 'windowMenu', label: '&Window' },
    { role: 'help', label: '&Help', submenu: helpMenu(deps) },
  ]
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}

/** Developer tools are for `--dev-tools` only. */
function viewMenu(): MenuItemConstructorOptions[] {
  const tools: MenuItemConstructorOptions[] = [
    { role: 'forceReload' },
    { role: 'toggleDevTools' },
    { type: 'separator' },
  ]

  return [
    { role: 'reload' },
    ...(app.commandLine.hasSwitch('dev-tools') ? tools : []),
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { type: 'separator' },
    { role: 'togglefullscreen' },
  ]
}

function fileMenu({
  server,
  openPage,
  openFiles,
  showDataFolder,
  restoreBackup,
}: MenuDeps): MenuItemConstructorOptions[] {
  return [
    { ...command('open-files', '&Open …', openFiles), accelerator: 'CmdOrCtrl+O' },
    { type: 'separator' },
    {
      id: SHARING_ITEM,
      label: 'Share on this &network',
      type: 'checkbox',
      checked: server.isShared,
      click: (item) => void switchSharing(item, server),
    },
    { id: 'internet', label: 'Share from &anywhere …', click: () => openPage(routes.host) },
    {
      id: 'settings',
      label: '&Settings …',
      accelerator: 'CmdOrCtrl+,',
      click: () => openPage(routes.hostSettings),
    },
    {
      ...command('show-data-folder', 'Show &data folder', showDataFolder),
      accelerator: 'CmdOrCtrl+Shift+D',
    },
    command('restore-backup', 'Restore from a &backup …', restoreBackup),
    { type: 'separator' },
    { role: isMac ? 'close' : 'quit' },
  ]
}

function goMenu({ openPage, history }: MenuDeps): MenuItemConstructorOptions[] {
  const pages = [
    ['&Dashboard', routes.dashboard],
    ['&Projects', routes.projects],
    ['My &Files', routes.myFiles],
    ['&Builds', routes.builds],
    ['&API Keys', routes.apiKeys],
    ['&Host', routes.host],
  ] as const

  return [
    { id: 'back', label: '&Back', accelerator: isMac ? 'Cmd+[' : 'Alt+Left', click: history.back },
    {
      id: 'forward',
      label: 'For&ward',
      accelerator: isMac ? 'Cmd+]' : 'Alt+Right',
      click: history.forward,
    },
    { type: 'separator' },
    ...pages.map(([label, path], index) => ({
      id: `go${path}`,
      label,
      accelerator: `CmdOrCtrl+${index + 1}`,
      click: () => openPage(path),
    })),
  ]
}

function helpMenu(deps: MenuDeps): MenuItemConstructorOptions[] {
  const { openPage, showKeys, checkForUpdates, showAbout, showLicences } = deps

  return [
    { id: 'guide', label: '&Guide', click: () => openPage(routes.guide) },
    { id: 'docs', label: '&API Docs', click: () => openPage(routes.docs) },
    {
      id: 'keys',
      label: '&Keyboard shortcuts',
      accelerator: 'CmdOrCtrl+/',
      click: showKeys,
    },
    { type: 'separator' },
    command('report-problem', '&Report a problem …', deps.reportProblem),
    command('reset-host-password', 'Reset the &host password …', deps.resetHostPassword),
    { type: 'separator' },
    command('updates', 'Check for &updates …', checkForUpdates),
    command('licences', '&Licences', showLicences),
    command('about', '&About Slipway', showAbout),
  ]
}

const command = (id: string, label: string, run: () => Promise<void>) => ({
  id,
  label,
  click: () => void reportFailure(run()),
})

/** The mark shows the actual state, and ignores clicks until the switch is done. */
async function switchSharing(item: Checkbox, server: RunningServer): Promise<void> {
  item.enabled = false
  await reportFailure(server.share(item.checked))
  item.checked = server.isShared
  item.enabled = true
}

async function reportFailure(action: Promise<void>): Promise<void> {
  try {
    await action
  } catch (err) {
    realDeps.log.error({ err }, 'a menu command failed')
    if (mayShowDialogs())
      dialog.showErrorBox('The command failed', err instanceof Error ? err.message : String(err))
  }
}
