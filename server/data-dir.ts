import { homedir } from 'node:os'
import { join } from 'node:path'

/** The folder in which the operating system wants an app to keep its data; the desktop app uses the same one. */
export function defaultDataDir(): string {
  const home = homedir()
  if (process.platform === 'win32') return join(process.env['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'Slipway')
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', 'Slipway')
  return join(process.env['XDG_DATA_HOME'] ?? join(home, '.local', 'share'), 'slipway')
}
