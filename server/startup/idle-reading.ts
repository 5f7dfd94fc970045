import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { AppContext, Rooms } from '../compose/context'
import { drawAfterChanges } from '../features/embeds/draw-after-changes'
import { mapBlocksWhenIdle } from './idle-block-maps'
import { checkBytesWhenIdle } from './idle-byte-check'

/** How often to look for packages to read and for the end of transfers, in ms. */
const LOOK_EVERY_MS = 10_000
/** Reading takes at most this share of the time. */
const SHARE = 1 / 5

/**
 * Prepares what visitors may ask for later, and checks stored bytes. Returns a function that stops
 * it and waits for what runs.
 */
export function workWhenIdle(context: AppContext, lookMs?: number): () => Promise<void> {
  const stopDrawing = drawAfterChanges(context)
  const stops = [readWhenIdle(context, lookMs), mapBlocksWhenIdle(context, lookMs)]
  // Reading all of a bucket would cost money, and the store keeps its own digests.
  if (!context.data.primaryBlobs) stops.push(checkBytesWhenIdle(context, lookMs))

  return async () => {
    stopDrawing()
    await Promise.all(stops.map((stop) => stop()))
  }
}

/**
 * Reads packages that have not been read, such as those of earlier versions, one at a time while no
 * transfers run. Each result is saved, so the next start continues. Returns a function that stops
 * it and waits for the current package.
 */
function readWhenIdle(
  {
    files: { store, facts },
    transfers: { running },
    host: { log },
  }: Rooms<'files' | 'transfers' | 'host'>,
  lookMs = LOOK_EVERY_MS,
): () => Promise<void> {
  const ending = new AbortController()
  const { signal } = ending
  const rest = (ms: number) => pause(ms, undefined, { signal, ref: false }).catch(() => undefined)
  const read = async (id: string) => {
    while (running.count > 0 && !signal.aborted) await rest(lookMs)
    const file = store.find(id)
    if (signal.aborted || !file) return
    const start = performance.now()
    const changed = await facts.readAgain(file).catch((err: unknown) => {
      log.warn({ err }, 'cannot read a package')
      return file
    })
    // Nothing was saved, for example on a full disk: the next round retries.
    await rest(changed === file ? lookMs : (performance.now() - start) / SHARE)
  }
  const work = async () => {
    while (!signal.aborted) {
      await rest(lookMs)
      for (const { id } of [...store.unread()]) await read(id)
    }
  }
  const ended = work()
  return () => {
    ending.abort()
    return ended
  }
}
