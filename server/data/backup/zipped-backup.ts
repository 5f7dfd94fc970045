import { createWriteStream } from 'node:fs'
import { mkdir, rm, statfs } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { dirname as dirIn } from 'node:path/posix'
import { pipeline } from 'node:stream/promises'
import { openPromise, type Entry, type ZipFile } from 'yauzl'
import { errorCode, makeFolders } from '../../core/durable-file'
import type { CopyOptions } from '../copy-files'
import { MANIFEST } from './manifest'
import { notWritable } from './places'

const MOST_ENTRIES = 4_000_000
/** Unix file types in the upper half of the external attributes. */
const TYPE_MASK = 0o170000
const PLAIN = 0o100000

interface UnpackOptions extends CopyOptions {
  /** Without the bytes of files and pictures. */
  isView?: boolean
}

export const isZip = (path: string): boolean => /\.zip$/i.test(path)

/**
 * Unpacks the newest backup in a ZIP, as a file manager makes one of its folder, into a new folder.
 * The ZIP is untrusted: links, names elsewhere, names twice and more bytes than the disk has are
 * refused. Throws with a readable message, and then removes the folder.
 */
export async function unpackBackup(
  path: string,
  into: string,
  options: UnpackOptions = {},
): Promise<void> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(
    (cause: unknown) => {
      if (errorCode(cause) === 'ENOENT') throw new Error(`There is no file ${path}`, { cause })
      throw new Error(`${path} is not a ZIP, or its end is missing`, { cause })
    },
  )

  try {
    const entries = await listBackup(zip, path)
    const wanted = [...entries].filter(([name]) => !options.isView || !name.startsWith('blobs/'))
    await makeFolders(into).catch((error: unknown) => {
      throw notWritable(dirname(into), error)
    })
    await requireRoom(into, wanted)
    for (const [name, entry] of wanted) await unpack(zip, entry, join(into, name), options)
  } catch (error) {
    await rm(into, { recursive: true, force: true }).catch(() => undefined)
    throw error
  } finally {
    zip.close()
  }
}

/** The files of the newest backup, by their names in it. */
async function listBackup(zip: ZipFile, path: string): Promise<Map<string, Entry>> {
  if (zip.entryCount > MOST_ENTRIES) throw new Error(`${path} has too many files`)

  const all: Entry[] = []
  try {
    for await (const entry of zip.eachEntry()) if (!entry.fileName.endsWith('/')) all.push(entry)
  } catch (cause) {
    throw new Error(`The list of files in ${path} is damaged or unsafe`, { cause })
  }

  const [newest] = all
    .filter(({ fileName }) => basename(fileName) === MANIFEST)
    .map(({ fileName }) => dirIn(fileName))
    .toSorted((a, b) => basename(b).localeCompare(basename(a)))
  if (newest === undefined)
    throw new Error(`${path} is not a backup of Slipway: it has no ${MANIFEST}`)

  const start = newest === '.' ? '' : `${newest}/`
  const entries = new Map<string, Entry>()
  for (const entry of all.filter(({ fileName }) => fileName.startsWith(start))) {
    const name = entry.fileName.slice(start.length)
    requirePlain(entry)
    if (entries.has(name)) throw new Error(`${path} has ${entry.fileName} twice`)
    entries.set(name, entry)
  }
  return entries
}

function requirePlain(entry: Entry): void {
  const { fileName, externalFileAttributes } = entry
  const type = (externalFileAttributes >>> 16) & TYPE_MASK
  if (type !== 0 && type !== PLAIN)
    throw new Error(`${fileName} is not a regular file: Slipway does not make such backups`)
  if (entry.isEncrypted()) throw new Error(`${fileName} is encrypted: unpack the ZIP yourself`)
}

async function requireRoom(into: string, wanted: readonly (readonly [string, Entry])[]) {
  const bytes = wanted.reduce((sum, [, { uncompressedSize }]) => sum + uncompressedSize, 0)
  const { bavail, bsize } = await statfs(into)
  if (bytes > bavail * bsize)
    throw new Error(`The disk of ${dirname(into)} is too small to unpack this backup`)
}

async function unpack(
  zip: ZipFile,
  entry: Entry,
  to: string,
  { signal, onBytes }: CopyOptions,
): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  const packed = await zip.openReadStreamPromise(entry)
  const file = createWriteStream(to, { flags: 'wx', mode: 0o600 })

  await pipeline(packed, file, { signal }).catch((cause: unknown) => {
    // Only errors of the system have a code, and those of zlib.
    const code = errorCode(cause)
    if (signal?.aborted || (code !== undefined && !code.startsWith('Z_'))) throw cause
    throw new Error(`${entry.fileName} is damaged in the ZIP`, { cause })
  })
  onBytes?.(entry.uncompressedSize)
}
