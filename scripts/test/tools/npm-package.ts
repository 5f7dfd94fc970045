import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { capture } from '../tool'
import type { Found } from './found'

/** A package that only tests use: it is never installed into node_modules, started by `npm start` or shipped. */
export interface NpmPackage {
  name: string
  version: string
  /** SHA-512 of its archive, in base64. */
  integrity: string
}

/** Finds the unpacked package in our cache folder, or fetches it. The folder appears complete or not at all. */
export async function fetchPackage(known: NpmPackage): Promise<Found> {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'slipway-tests')
  const folder = join(cache, `${known.name}-${known.version}`)
  if (existsSync(folder)) return { path: folder }
  await mkdir(cache, { recursive: true })
  const temporary = await mkdtemp(join(cache, 'fetch-'))
  try {
    const missing = await unpackInto(temporary, known)
    if (missing !== undefined) return { missing }
    await rename(join(temporary, 'package'), folder)
    return { path: folder }
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/** Returns any error. */
async function unpackInto(folder: string, { name, version, integrity }: NpmPackage): Promise<string | undefined> {
  const spec = `${name}@${version}`
  const tarball = join(folder, `${name}-${version}.tgz`)
  const packed = await capture('npm', ['pack', spec, '--pack-destination', folder])
  if (packed.code !== 0) return `npm pack ${spec} failed`
  const hash = createHash('sha512').update(await readFile(tarball))
  if (hash.digest('base64') !== integrity) return `${spec} is not the package that we know`
  const unpacked = await capture('tar', ['-xzf', tarball, '-C', folder])
  return unpacked.code === 0 ? undefined : `${spec} could not be unpacked`
}
