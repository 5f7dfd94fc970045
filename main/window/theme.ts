import { nativeTheme, type BrowserWindow } from 'electron'
import type { RunningServer } from '../../server'

const GROUND = { light: '#ffffff', dark: '#101616' }

export const ground = (): string => (nativeTheme.shouldUseDarkColors ? GROUND.dark : GROUND.light)

/**
 * Applies the theme of the settings to pages (`prefers-color-scheme`), menus and dialogs, and
 * follows changes.
 */
export function followTheme({ settings }: RunningServer): void {
  const follow = () => (nativeTheme.themeSource = settings.get().theme)
  settings.onChange(follow)
  follow()
}

export function followGround(window: BrowserWindow): void {
  const follow = () => window.setBackgroundColor(ground())
  nativeTheme.on('updated', follow)
  window.on('closed', () => nativeTheme.off('updated', follow))
}
