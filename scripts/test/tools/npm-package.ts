import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { capture } from '../tool'
import type { Found } from './found'

/**
 * A package that tests use, or one with Node for another system: it is never installed into
 * node_modules or started by `npm start`.
 */
export interface NpmPackage {
  name: string
  version: string
  /** SHA-512 of its archive, in base64. */
  integrity: string
}

/**
 * Finds the unpacked package in our cache folder, or fetches and prepares it. The folder appears
 * complete or not at all.
 */
export async function fetchPackage(
  known: NpmPackage,
  prepare: (folder: string) => Promise<void>,
): Promise<Found> {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'slipway-tests')
  const folder = join(cache, `${fileName(known.name)}-${known.version}`)
  if (existsSync(folder)) return { path: folder }

  await mkdir(cache, { recursive: true })
  const temporary = await mkdtemp(join(cache, 'fetch-'))
  try {
    const missing = await unpackInto(temporary, known)
    if (missing !== undefined) return { missing }
    await prepare(join(temporary, 'package'))
    await rename(join(temporary, 'package'), folder)
    return { path: folder }
  } catch (cause) {
    // Two runs may fetch concurrently: the first has renamed its folder.
    if (existsSync(folder)) return { path: folder }
    throw cause
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/** npm's archive name: `@scope/name` becomes `scope-name`. */
const fileName = (name: string) => name.replace('@', '').replace('/', '-')

/** Returns the missing package with a reason, if it fails. */
async function unpackInto(
  folder: string,
  { name, version, integrity }: NpmPackage,
): Promise<string | undefined> {
  const spec = `${name}@${version}`
  const tarball = join(folder, `${fileName(name)}-${version}.tgz`)

  const packed = await capture('npm', ['pack', spec, '--pack-destination', folder])
  if (packed.code !== 0)
    return `${spec}, and npm pack failed: ${packed.output.trim().split('\n').at(-1)}`

  const hash = createHash('sha512').update(await readFile(tarball))
  if (hash.digest('base64') !== integrity) return `${spec}, and npm has another one than we know`

  const unpacked = await capture('tar', ['-xzf', tarball, '-C', folder])
  return unpacked.code === 0 ? undefined : `${spec}, which could not be unpacked`
}
