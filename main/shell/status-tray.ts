import { app, clipboard, Menu, nativeImage, Tray, type BrowserWindow } from 'electron'
import colored from '../../assets/tray.png?inline'
import template from '../../assets/tray-template.png?inline'
import { realDeps, type RunningServer } from '../../server'
import type { OpenedFiles } from '../files/opened-files'
import { focusWindow } from '../window/window'
import { routes } from '../../server/contract/routes'
import { listTransfers } from '../../server/texts/format'

interface TrayDeps {
  server: RunningServer
  window: BrowserWindow
  opened: OpenedFiles
  openPage: (path: string) => void
}

export function showTray(deps: TrayDeps): void {
  const { server } = deps
  const tray = new Tray(icon())
  let previous = ''

  const update = () => {
    const state = stateText(server)
    const news = JSON.stringify([
      state,
      server.isShared,
      isAnywhere(server),
      server.address,
      server.awaitedAddresses,
    ])
    // Linux reopens a menu each time it is set, so set it only when it changes.
    if (news === previous) return

    previous = news
    tray.setToolTip(`Slipway. ${state}`)
    tray.setContextMenu(Menu.buildFromTemplate(buildMenu(deps, state)))
  }

  // On macOS a click opens the menu.
  if (process.platform !== 'darwin') tray.on('click', () => focusWindow(deps.window))
  tray.on('drop-files', (_event, paths) => deps.opened.add(paths))
  server.transfers.onChange(update)
  server.onReachChange(update)
  update()
}

function buildMenu(
  { server, window, openPage }: TrayDeps,
  state: string,
): Electron.MenuItemConstructorOptions[] {
  const { address } = server
  const copy = () => void clipboard.writeText(address ?? '')

  return [
    { id: 'state', label: state, enabled: false },
    { type: 'separator' },
    { id: 'open', label: 'Open Slipway', click: () => focusWindow(window) },
    { id: 'copy-address', label: 'Copy address', enabled: address !== undefined, click: copy },
    {
      id: 'sharing',
      label: server.isShared ? 'Pause sharing' : 'Share on this network',
      click: () => void switchSharing(server),
    },
    ...(server.awaitedAddresses.length === 0
      ? []
      : [
          {
            id: 'choose-addresses',
            label: 'Choose other addresses …',
            click: () => openPage(routes.hostSettings),
          },
        ]),
    internetItem(server, openPage),
    { type: 'separator' },
    { id: 'quit', label: 'Quit Slipway', click: () => app.quit() },
  ]
}

/** The host account chose to share with the internet, whether or not people reach the host now. */
const isAnywhere = (server: RunningServer) => server.internet.view().way !== 'off'

/** Stops immediately; starting opens the page that asks for consent. */
const internetItem = (
  server: RunningServer,
  openPage: TrayDeps['openPage'],
): Electron.MenuItemConstructorOptions =>
  isAnywhere(server)
    ? {
        id: 'internet',
        label: 'Stop sharing from anywhere',
        click: () => void server.closeToInternet(),
      }
    : { id: 'internet', label: 'Share from anywhere …', click: () => openPage(routes.host) }

async function switchSharing(server: RunningServer): Promise<void> {
  await server
    .share(!server.isShared)
    .catch((err: unknown) => realDeps.log.error({ err }, 'cannot switch sharing'))
}

function stateText(server: RunningServer): string {
  const transfers = listTransfers(server.transfers.totals())
  const isOpen = ['open', 'tunnel_open'].includes(server.internet.view().state)
  const state = isOpen ? 'Online, from anywhere' : networkState(server)
  return transfers.length === 0 ? state : `${state}: ${transfers.join(', ')}`
}

function networkState(server: RunningServer): string {
  const [first, ...others] = server.awaitedAddresses
  const without =
    first === undefined
      ? 'No network'
      : `Waiting for ${others.length > 0 ? 'the chosen addresses' : first}`
  return !server.isShared
    ? 'On this computer only'
    : server.address !== undefined
      ? 'Online'
      : without
}

/** macOS colours a template image like its menu bar. */
function icon(): Electron.NativeImage {
  const isMac = process.platform === 'darwin'
  const picture = nativeImage
    .createFromDataURL(isMac ? template : colored)
    .resize({ height: isMac ? 16 : 32 })
  picture.setTemplateImage(isMac)
  return picture
}
