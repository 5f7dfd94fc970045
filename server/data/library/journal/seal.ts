import { copyFile, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { renameDurably } from '../../../core/durable-file'
import { listLibrary, logName } from './library-files'

/**
 * Replaces the newest log by a copy. A suspended process on another computer that has the log open
 * then writes to an unlinked file, and not after the bytes that we have read. On a disk that cannot
 * rename open files, leaves the log.
 */
export async function sealNewestLog(dir: string): Promise<void> {
  const { logs } = await listLibrary(dir)
  const newest = logs.at(-1)
  if (newest === undefined) return

  const path = join(dir, logName(newest))
  const draft = `${path}.tmp`
  await rm(draft, { force: true })
  await copyFile(path, draft)

  const file = await open(draft, 'r+')
  try {
    await file.chmod(0o600)
    await file.sync()
  } finally {
    await file.close()
  }

  await renameDurably(draft, path).catch(() => rm(draft, { force: true }))
}
