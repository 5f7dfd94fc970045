import { nativeTheme, type BrowserWindow } from 'electron'
import type { RunningServer } from '../../server'

/** The grounds of the page's two themes, so that nothing flashes before it is painted. */
const GROUND = { light: '#ffffff', dark: '#101616' }

/** What is seen of a window before its page is painted. */
export const ground = (): string => (nativeTheme.shouldUseDarkColors ? GROUND.dark : GROUND.light)

/** Takes the theme of the settings, now and whenever it is changed: for pages (`prefers-color-scheme`), menus and dialogs. */
export function followTheme({
  context: {
    data: { settings },
  },
}: RunningServer): void {
  const follow = () => (nativeTheme.themeSource = settings.get().desktop.theme)
  settings.onChange(follow)
  follow()
}

/** The ground of this window follows the theme, also that of the system. */
export function followGround(window: BrowserWindow): void {
  const follow = () => window.setBackgroundColor(ground())
  nativeTheme.on('updated', follow)
  window.on('closed', () => nativeTheme.off('updated', follow))
}
