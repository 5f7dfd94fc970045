import { app, Menu, type BrowserWindow } from 'electron'
import type { RunningServer } from '../../server'
import { reportHostChanged } from '../window/bridge'
import { originOf } from '../start/host'
import { SHARING_ITEM } from './menu'

interface Followers {
  server: RunningServer
  window: BrowserWindow
  origin: string
}

/**
 * Keeps the window's links and the menu's mark current. The window is confined to its origin, so another port restarts
 * the app.
 */
export function followAddresses({ server, window, origin }: Followers): void {
  if (window.isDestroyed()) return
  if (originOf(server) !== origin) {
    app.relaunch()
    window.destroy()
    return app.quit()
  }
  const item = Menu.getApplicationMenu()?.getMenuItemById(SHARING_ITEM)
  if (item) item.checked = server.isShared
  reportHostChanged(window)
}
