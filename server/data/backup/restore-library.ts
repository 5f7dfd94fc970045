import { mkdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DiskBackend } from '../blobs/disk-backend'
import { copyHashed, isUnreadable, type CopyOptions } from '../copy-files'
import { errorCode, syncDir } from '../../core/durable-file'
import { writeFreshLibrary } from '../library/fresh-library'
import { removeOlderThan } from '../library/journal/library-files'
import { readLibrary } from '../library/read-library'
import { takeOutInvalid } from '../repair/check-records'
import { takeOutOrphans } from '../repair/orphaned-records'
import { dropIncomplete } from '../repair/unclaimed-blobs'
import {
  forgetFacts,
  hasSidecars,
  promisedBlobs,
  recordsOf,
  type PromisedBlob,
  type Records,
} from '../repair/records'

/** Contents of a restored library. */
interface RestoredLibrary {
  blobs: number
  /** Besides the host account. */
  accounts: number
  /** Second factors and links of single sign-on. Those removed since the backup work again. */
  withFactors: number
  /** Addresses that get mails. One that ended them since the backup gets them again. */
  subscribed: number
  paused: string[]
  /** The names of files that were damaged or missing in the backup. */
  damaged: string[]
  /** The records that are not valid, or need one that is not; one sentence each. */
  leftOut: string[]
}

/**
 * Validates the library before any blob is copied, and rewrites it with its watched folders paused.
 */
export async function restoreLibrary(
  from: string,
  partial: string,
  copying: CopyOptions = {},
): Promise<RestoredLibrary> {
  const { cut, records, leftOut } = await readChecked(partial, from)
  const paused = pauseWatches(records)
  endManaging(records)

  // Nothing proves that the bucket still has these copies, and a backup must not make this host
  // delete objects.
  records.mirrored.clear()
  forgetWaiting(records)

  const promised = [...promisedBlobs(records)]
  const { blobs, damaged, withoutFacts } = await copyBlobs({ from, to: partial, copying }, promised)
  if (damaged.length > 0) await dropIncomplete(records, DiskBackend.in(partial))
  forgetFacts(records, withoutFacts)

  const generation = cut.generation + 1
  await writeFreshLibrary(partial, { ...cut, generation })
  await removeOlderThan(partial, generation)

  return {
    blobs,
    accounts: Math.max(0, records.users.size - 1),
    withFactors: records.factors.size + records.identities.size,
    subscribed: [...records.subscribers.values()].filter(({ confirmedAt }) => confirmedAt).length,
    paused,
    damaged,
    leftOut,
  }
}

/**
 * Reads the library in a folder, without the records that Slipway would not have written, and those
 * that need one of them. Throws if no account of the backup `from` is valid.
 */
export async function readChecked(dir: string, from: string) {
  const cut = await readLibrary(dir)
  const records = recordsOf(cut.data)
  const leftOut = takeOutInvalid(cut.data)
  if (leftOut.length > 0) leftOut.push(...takeOutOrphans(records))
  if (leftOut.length > 0 && records.users.size === 0)
    throw new Error(`Cannot restore ${from}, which has no valid account: ${leftOut[0]}`)

  return { cut, records, leftOut }
}

/** A watched folder is published, so a backup must not choose one. Returns the folders. */
function pauseWatches({ watches }: Records): string[] {
  for (const [id, watch] of watches) watches.set(id, { ...watch, isPaused: true })
  return [...new Set([...watches.values()].map(({ folder }) => folder))]
}

/** Drops queued messages: they are outdated, or the original host has sent them. */
function forgetWaiting({ webhookDeliveries: deliveries, notices }: Records): void {
  notices.clear()
  for (const [id, { state }] of deliveries) if (state === 'waiting') deliveries.delete(id)
}

/** Manage links were created for another host, and a backup could forge any session. */
function endManaging({ sessions }: Records): void {
  for (const [id, { manage: _, ...session }] of sessions) sessions.set(id, session)
}

async function copyBlobs(
  { from, to, copying }: { from: string; to: string; copying: CopyOptions },
  promised: readonly PromisedBlob[],
) {
  const source = DiskBackend.in(from)
  const target = DiskBackend.in(to)
  const shards = new Set<string>()
  const withoutFacts = new Set<string>()
  const damaged: string[] = []
  const copy = (name: string) => copyHashed(source.pathOf(name), target.pathOf(name), copying)

  for (const blob of promised) {
    const { blobId, sha256, name, sidecars } = blob
    const shard = dirname(target.pathOf(blobId))
    shards.add(shard)
    await mkdir(shard, { recursive: true, mode: 0o700 })

    const copied = await copy(blobId).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT' || isUnreadable(error)) return undefined
      throw error
    })
    if (copied?.sha256 !== sha256) {
      await rm(target.pathOf(blobId), { force: true })
      damaged.push(name)
      continue
    }

    if (await hasSidecars(source, blob)) for (const it of sidecars) await copy(`${blobId}.${it}`)
    else withoutFacts.add(blobId)
  }

  for (const shard of shards) await syncDir(shard)
  await syncDir(target.dir)
  return { blobs: promised.length - damaged.length, damaged, withoutFacts }
}
