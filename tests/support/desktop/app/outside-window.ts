import type { ElectronApplication } from 'playwright/test'

interface Watched {
  notices: string[]
  badges: number[]
  tray: { tip: string; menu: Electron.Menu } | undefined
}

/** Records what the app shows outside its window from now on; a test has no screen to see it. */
export function watch(app: ElectronApplication): Promise<void> {
  return app.evaluate(({ app: program, Notification, Tray }) => {
    const watched: Watched = { notices: [], badges: [], tray: undefined }
    Object.assign(globalThis, { watched })
    Notification.isSupported = () => true
    Notification.prototype.show = function (this: Electron.Notification) {
      watched.notices.push(this.title)
    }
    program.setBadgeCount = (count) => {
      watched.badges.push(count ?? 0)
      return true
    }
    let tip = ''
    Tray.prototype.setToolTip = (text) => void (tip = text)
    Tray.prototype.setContextMenu = (menu) => void (watched.tray = { tip, menu: menu! })
  })
}

export const seen = (app: ElectronApplication) =>
  app.evaluate(() => {
    const { notices, badges, tray } = (globalThis as unknown as { watched: Watched }).watched
    const items = tray?.menu.items.filter(({ type }) => type !== 'separator') ?? []
    return {
      notices,
      badges,
      tip: tray?.tip,
      items: items.map(({ label, enabled }) => [label, enabled]),
    }
  })

export const clickTray = (app: ElectronApplication, id: string) =>
  app.evaluate((_electron, wanted) => {
    const { tray } = (globalThis as unknown as { watched: Watched }).watched
    const item = tray!.menu.getMenuItemById(wanted) as unknown as { click(): void }
    item.click()
  }, id)
