import { app, clipboard, Menu, nativeImage, Tray, type BrowserWindow } from 'electron'
import colored from '../../assets/tray.png?inline'
import template from '../../assets/tray-template.png?inline'
import { realDeps, type RunningServer } from '../../server'
import type { OpenedFiles } from '../files/opened-files'
import type { Anywhere } from './anywhere'
import type { Sharing } from './sharing'
import { focusWindow } from '../window/window'
import { routes } from '../../server/contract/routes'

interface TrayDeps {
  server: RunningServer
  sharing: Sharing
  anywhere: Anywhere
  window: BrowserWindow
  opened: OpenedFiles
  openPage: (path: string) => void
}

export function showTray(deps: TrayDeps): void {
  const { addresses, reach } = deps.server.context.network
  const { running } = deps.server.context.transfers
  const tray = new Tray(icon())
  let shown = ''
  const update = () => {
    const state = stateText(deps)
    const news = JSON.stringify([state, deps.sharing.isOn, deps.anywhere.isOn, addresses.best(), reach.awaited])
    // Linux reopens a menu each time it is set, so set it only when it changes.
    if (news === shown) return
    shown = news
    tray.setToolTip(`Slipway. ${state}`)
    tray.setContextMenu(Menu.buildFromTemplate(menuOf(deps, state)))
  }
  tray.on('click', () => focusWindow(deps.window))
  tray.on('drop-files', (_event, paths) => deps.opened.add(paths))
  running.onChange(update)
  addresses.onChange(update)
  reach.onChange(update)
  deps.anywhere.onChange(update)
  update()
}

function menuOf(
  { server, sharing, anywhere, window, openPage }: TrayDeps,
  state: string,
): Electron.MenuItemConstructorOptions[] {
  const address = server.context.network.addresses.best()
  const copy = () => void clipboard.writeText(address ?? '')
  return [
    { id: 'state', label: state, enabled: false },
    { type: 'separator' },
    { id: 'open', label: 'Open Slipway', click: () => focusWindow(window) },
    { id: 'copy-address', label: 'Copy address', enabled: address !== undefined, click: copy },
    {
      id: 'sharing',
      label: sharing.isOn ? 'Pause sharing' : 'Share on this network',
      click: () => void switchSharing(sharing),
    },
    ...(server.context.network.reach.awaited.length === 0
      ? []
      : [{ id: 'choose-addresses', label: 'Choose other addresses …', click: () => openPage(routes.hostSettings) }]),
    internetItem(anywhere, openPage),
    { type: 'separator' },
    { id: 'quit', label: 'Quit Slipway', click: () => app.quit() },
  ]
}

/** Stops at once; starting opens the page that asks for consent. */
const internetItem = (anywhere: Anywhere, openPage: TrayDeps['openPage']): Electron.MenuItemConstructorOptions =>
  anywhere.isOn
    ? { id: 'internet', label: 'Stop sharing with the internet', click: () => void anywhere.stop() }
    : { id: 'internet', label: 'Share with the internet …', click: () => openPage(routes.host) }

async function switchSharing(sharing: Sharing): Promise<void> {
  await sharing.set(!sharing.isOn).catch((err: unknown) => realDeps.log.error({ err }, 'cannot switch sharing'))
}

function stateText({ server, sharing, anywhere }: Pick<TrayDeps, 'server' | 'sharing' | 'anywhere'>): string {
  const { downloads, uploads } = server.context.transfers.running.totals()
  const doings = [counted(downloads, 'download'), counted(uploads, 'upload')].filter((text) => text !== '')
  const state = anywhere.isOpen ? 'Online, from anywhere' : networkState(server, sharing)
  return doings.length === 0 ? state : `${state}: ${doings.join(', ')}`
}

function networkState(server: RunningServer, sharing: Sharing): string {
  const { addresses, reach } = server.context.network
  const [first, ...others] = reach.awaited
  const without =
    first === undefined ? 'No network' : `Waiting for ${others.length > 0 ? 'the chosen addresses' : first}`
  const isReachable = addresses.best() !== undefined
  return !sharing.isOn ? 'On this computer only' : isReachable ? 'Online' : without
}

function counted(count: number, what: string): string {
  if (count === 0) return ''
  return count === 1 ? `1 ${what}` : `${count} ${what}s`
}

/** macOS colours a template image like its menu bar. */
function icon(): Electron.NativeImage {
  const isMac = process.platform === 'darwin'
  const picture = nativeImage.createFromDataURL(isMac ? template : colored).resize({ height: isMac ? 16 : 32 })
  picture.setTemplateImage(isMac)
  return picture
}
