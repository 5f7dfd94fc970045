import { app, Menu } from 'electron'
import { reportHostChanged } from '../window/bridge'
import type { OpenWindow } from '../window/own-origin'
import { originOf } from '../start/host'
import { SHARING_ITEM } from './menu'

/**
 * Keeps the window's links and the menu's mark current. The window is confined to its origin, so
 * another port restarts the app.
 */
export function followAddresses({ server, window, origin }: OpenWindow): void {
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
