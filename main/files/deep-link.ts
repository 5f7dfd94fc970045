import { app, type BrowserWindow } from 'electron'
import { desktopChannels } from '../../server/contract/host/desktop'
import { isServerPath } from '../../server/contract/routes'
import { pathInArguments, pathOfLink } from './link-path'
import { hostLog } from '../../server'
import { isOwnPage } from '../window/own-origin'
import { focusWindow } from '../window/window'

/**
 * Follows `slipway://` links: the first is on the command line, a second start passes on its own,
 * and macOS sends events. Until there is a window, the last one is kept.
 */
export class OpenedLinks {
  #page = pathInArguments(process.argv)
  #open = (page: string): void => void (this.#page = page)

  constructor() {
    // macOS sends this event before `ready`.
    app.on('open-url', (event, link) => {
      event.preventDefault()
      this.#take(pathOfLink(link))
    })
    app.on('second-instance', (_event, argv) => this.#take(pathInArguments(argv)))
  }

  /** Of the last link, for the first page of the window. */
  get page(): string | undefined {
    return this.#page
  }

  handTo(window: BrowserWindow, origin: string): void {
    // On Linux the package registers the scheme; a run from sources must not change the system.
    if (app.isPackaged && process.platform !== 'linux') app.setAsDefaultProtocolClient('slipway')
    this.#open = (page) => window.isDestroyed() || openPage(window, origin, page)
  }

  #take(page: string | undefined): void {
    if (page !== undefined) this.#open(page)
  }
}

/**
 * Navigates within the app, so that its uploads continue. Loads the path if the window shows
 * another page, or if the server writes the new one.
 */
export function openPage(window: BrowserWindow, origin: string, path: string): void {
  focusWindow(window)
  const { webContents } = window
  const shown = webContents.getURL()
  const inApp = (page: string) => isOwnPage(page, origin) && !isServerPath(new URL(page).pathname)
  if (!inApp(shown) || !inApp(origin + path)) {
    window
      .loadURL(origin + path)
      .catch((err: unknown) => hostLog.warn({ err }, 'a page did not load'))
    return
  }

  const send = () => webContents.send(desktopChannels.onOpenPage, path)
  // A page misses messages until its preload script has run.
  if (webContents.isLoadingMainFrame()) webContents.once('did-stop-loading', send)
  else send()
}
