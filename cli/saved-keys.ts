import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

/** The saved result of `slipway login` at one host. */
export interface SavedKey {
  key: string
  /** Slug of the project that the key is bound to. */
  project: string
}

/** XDG Base Directory, or %APPDATA% on Windows. */
function path(): string {
  const { APPDATA, XDG_CONFIG_HOME } = process.env
  const folder = process.platform === 'win32' ? APPDATA : XDG_CONFIG_HOME
  return join(folder ?? join(homedir(), '.config'), 'slipway', 'keys.json')
}

/** Keys: addresses of hosts. */
export function savedKeys(): Readonly<Record<string, SavedKey>> {
  try {
    return JSON.parse(readFileSync(path(), 'utf8')) as Record<string, SavedKey>
  } catch {
    return {}
  }
}

/** Returns where it is. Only the user can read the file. */
export function saveKey(url: string, saved: SavedKey): string {
  // The last one is the host of commands without an address.
  const others = Object.entries(savedKeys()).filter(([savedUrl]) => savedUrl !== url)
  const all = Object.fromEntries([...others, [url, saved]])
  mkdirSync(dirname(path()), { recursive: true, mode: 0o700 })
  const next = `${path()}.next`
  writeFileSync(next, JSON.stringify(all, null, 2), { mode: 0o600 })
  renameSync(next, path())
  return path()
}
