import { homedir } from 'node:os'
import { join } from 'node:path'

/** The system's folder for app data; the desktop app uses the same one. */
export function defaultDataDir(): string {
  const home = homedir()
  if (process.platform === 'win32')
    return join(process.env['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'Slipway')
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', 'Slipway')
  return join(process.env['XDG_DATA_HOME'] ?? join(home, '.local', 'share'), 'slipway')
}

/** The system's folder for small state of this user, apart from the data. */
export function stateDir(): string {
  const home = homedir()
  if (process.platform === 'win32')
    return join(process.env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'Slipway')
  if (process.platform === 'darwin') return join(home, 'Library', 'Preferences', 'Slipway')
  return join(process.env['XDG_STATE_HOME'] ?? join(home, '.local', 'state'), 'slipway')
}
