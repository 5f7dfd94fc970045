import { app, Menu, type BrowserWindow } from 'electron'
import type { RunningServer } from '../../server'
import { reportHostChanged } from '../window/bridge'
import { originOf } from './host'
import { SHARING_ITEM } from '../shell/menu'
import type { Sharing } from '../shell/sharing'

interface Followers {
  server: RunningServer
  window: BrowserWindow
  /** Where the window found the server when it was opened. */
  origin: string
  sharing: Sharing
}

/**
 * The window's links and the menu's mark follow where the host listens. Everything that confines the window is tied to
 * its origin, so another port starts the app anew.
 */
export function followAddresses({ server, window, origin, sharing }: Followers): void {
  if (window.isDestroyed()) return
  if (originOf(server) !== origin) {
    app.relaunch()
    window.destroy()
    return app.quit()
  }
  const item = Menu.getApplicationMenu()?.getMenuItemById(SHARING_ITEM)
  if (item) item.checked = sharing.isOn
  reportHostChanged(window)
}
