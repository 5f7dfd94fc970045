import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errorCode, syncDir } from '../storage/durable-file'
import { readLibrary } from '../storage/read-library'
import { newestBackup } from './backup'
import { blobPath, sidecarPath } from './blob-files'
import { copyHashed, unlessMissing } from './copy-files'
import { readManifest } from './manifest'
import { existingFolder, newFolder, notWritable, requireOutsideOfData } from './places'
import { promisedBlobs, recordsOf, type PromisedBlob } from './records'

export interface Restored {
  /** The backup that was taken. */
  from: string
  blobs: number
}

/**
 * Makes a data folder from a backup, or from the newest one of a folder of backups. Every byte is checked on the way;
 * the folder gets its name at the end, so that no host ever starts on half of it. Throws where something is there.
 */
export async function restore(source: string, dataDir: string): Promise<Restored> {
  const [from, target] = [await backupAt(await existingFolder(source)), await newFolder(dataDir)]
  await requireEmpty(target)
  await requireOutsideOfData(target)
  const manifest = await readManifest(from)
  const partial = join(dirname(target), `.slipway-restore-${basename(target)}`)
  await rm(partial, { recursive: true, force: true })
  await mkdir(join(partial, 'blobs'), { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw notWritable(dirname(target), error)
  })
  try {
    const blobs = await fill(partial, from, manifest.files)
    await rmdir(target).catch(ignoreMissing)
    await rename(partial, target)
    await syncDir(dirname(target))
    return { from, blobs }
  } catch (error) {
    await rm(partial, { recursive: true, force: true }).catch(() => undefined)
    throw error
  }
}

async function fill(partial: string, from: string, files: readonly { name: string }[]): Promise<number> {
  await copyFiles(from, partial, files)
  const { data } = await readLibrary(partial)
  const blobs = await copyBlobs(from, partial, promisedBlobs(recordsOf(data)))
  await syncDir(partial)
  return blobs
}

async function backupAt(source: string): Promise<string> {
  return (await newestBackup(source)) ?? source
}

async function requireEmpty(dir: string): Promise<void> {
  const names = await readdir(dir).catch(ignoreMissing)
  if (names && names.length > 0) throw new Error(`${dir} is not empty: restore into a new folder`)
}

/** Everything but the blobs, each in the folder where it was. */
async function copyFiles(from: string, to: string, files: readonly { name: string }[]): Promise<void> {
  for (const { name } of files) {
    const target = join(to, name)
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    await copyHashed(join(from, name), target)
    if (dirname(target) !== to) await syncDir(dirname(target))
  }
}

async function copyBlobs(from: string, to: string, promised: Iterable<PromisedBlob>): Promise<number> {
  const shards = new Set<string>()
  let count = 0
  for (const { blobId, sha256, name } of promised) {
    const target = blobPath(to, blobId)
    shards.add(dirname(target))
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    const copied = await unlessMissing(copyHashed(blobPath(from, blobId), target))
    if (copied?.sha256 !== sha256)
      throw new Error(`${name} is damaged in this backup (blob ${blobId}): take an older one`)
    await unlessMissing(copyHashed(sidecarPath(from, blobId), sidecarPath(to, blobId)))
    count++
  }
  for (const shard of shards) await syncDir(shard)
  await syncDir(join(to, 'blobs'))
  return count
}

function ignoreMissing(error: unknown): undefined {
  if (errorCode(error) === 'ENOENT') return undefined
  throw error
}
