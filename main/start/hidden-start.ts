import { app } from 'electron'
import type { RunningServer } from '../../server'
import type { Options } from './options'

/** Whether no window is to open: macOS takes no `--hidden` at login. Only after `ready`. */
export function isHiddenStart(
  { settings }: Pick<RunningServer, 'settings'>,
  { hidden }: Pick<Options, 'hidden'>,
): boolean {
  const { start_at_login: startsAtLogin, start_hidden: startsHidden } = settings.get()
  // It also says so of apps that macOS opens again after a restart.
  const isAtLogin =
    process.platform === 'darwin' && startsAtLogin && app.getLoginItemSettings().wasOpenedAtLogin
  return hidden === true || startsHidden || isAtLogin
}
