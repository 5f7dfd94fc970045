import { app, type BrowserWindow } from 'electron'
import { desktopChannels } from '../../server/contract/host/desktop'
import { pathInArguments, pathOfLink } from './link-path'
import { hostLog } from '../../server'
import { isOwnPage } from '../window/own-origin'
import { focusWindow } from '../window/window'

/** Follows `slipway://` links while the app runs: a second start passes on its command line, macOS sends an event. */
export function followLinks(window: BrowserWindow, origin: string): void {
  // On Linux the package registers the scheme; a run from sources must not change the system.
  if (app.isPackaged && process.platform !== 'linux') app.setAsDefaultProtocolClient('slipway')
  app.on('open-url', (event, link) => {
    event.preventDefault()
    open(window, origin, pathOfLink(link))
  })
  app.on('second-instance', (_event, argv) => open(window, origin, pathInArguments(argv)))
}

/** Navigates within a loaded page, so that its uploads continue; loads the path if another page is open. */
export function openPage(window: BrowserWindow, origin: string, path: string): void {
  focusWindow(window)
  const { webContents } = window
  if (!isOwnPage(webContents.getURL(), origin)) {
    window.loadURL(origin + path).catch((err: unknown) => hostLog.warn({ err }, 'a page did not load'))
    return
  }
  const send = () => webContents.send(desktopChannels.onOpenPage, path)
  // A page misses messages until its preload script has run.
  if (webContents.isLoadingMainFrame()) webContents.once('did-stop-loading', send)
  else send()
}

function open(window: BrowserWindow, origin: string, path: string | undefined): void {
  if (path !== undefined && !window.isDestroyed()) openPage(window, origin, path)
}
