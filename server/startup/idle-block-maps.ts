import { setTimeout as pause } from 'node:timers/promises'
import { blockMapPlace } from '../data/blobs/block-map/places'
import type { Rooms } from '../compose/context'
import { systemOf } from '../features/feeds/electron'
import type { FileRecord } from '../data/records/file-records'

/** How often to look for new programs and for the end of transfers, in ms. */
const LOOK_EVERY_MS = 10_000

/**
 * Makes the block maps of the programs in releases, for updaters, and what zsync needs of
 * AppImages: one at a time, newest first, and not while transfers run. One that is interrupted
 * starts over. Returns a function that stops it.
 */
export function mapBlocksWhenIdle(
  { files, projects, transfers, host: { log } }: Rooms<'files' | 'projects' | 'transfers' | 'host'>,
  lookMs = LOOK_EVERY_MS,
): () => Promise<void> {
  const ending = new AbortController()
  const { signal } = ending
  const rest = () => pause(lookMs, undefined, { signal, ref: false }).catch(() => undefined)
  const untilIdle = async () => {
    while (transfers.running.count > 0 && !signal.aborted) await rest()
  }
  const failed = new Set<string>()
  const isWanted = (file: FileRecord) =>
    !failed.has(file.blobId) &&
    projects.store.links
      .ofFile(file.id)
      .some((link) => link.releaseId !== null && systemOf({ link, file }))
  const work = async () => {
    while (!signal.aborted) {
      const next = files.store.unmapped().findLast(isWanted)
      await (next ? untilIdle() : rest())
      if (!next) continue
      const make = blockMapPlace(next.filename) === 'inside' ? 'makeZsync' : 'makeBlockMap'
      await files.updates[make](next, { pause: untilIdle, signal }).catch((err: unknown) => {
        // The next start retries.
        failed.add(next.blobId)
        if (!signal.aborted) log.warn({ err }, 'cannot make the block map of a file')
      })
    }
  }
  const ended = work()
  return () => {
    ending.abort()
    return ended
  }
}
