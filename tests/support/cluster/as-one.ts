import type { Reader } from '../../../server/cluster/reader'
import type { Inside } from '../world/inside'

/**
 * Hurries what readers learn of counts, and the writer of readers, within a second: the next
 * request sees it, as at one host. Returns what does so for a reader that has not started.
 */
export function hurryCounts({ library, applyMarks }: Inside): (reader: Reader) => void {
  let isBehind = false
  let arriving: Promise<unknown> = Promise.resolve()
  const count = library.count.bind(library)
  library.count = (...what) => {
    isBehind = true
    count(...what)
  }
  return (reader) => {
    const { fresh } = reader
    reader.tell = (mark) => {
      isBehind = true
      applyMarks([mark])
    }
    reader.fresh = async () => {
      if (isBehind) arriving = library.settled().catch(() => undefined)
      isBehind = false
      await arriving
      await fresh()
    }
  }
}

/**
 * What tests see and disturb inside all hosts of a cluster, as if they were one. Settings reach
 * readers at once.
 */
export function asOne(writer: Inside, readers: readonly Inside[]): Inside {
  const all = [writer, ...readers]
  const { settings } = writer
  const update = settings.update.bind(settings)
  settings.update = async (patch) => {
    const changed = await update(patch)
    await Promise.all(readers.map((reader) => reader.settings.reread()))
    return changed
  }
  return {
    ...writer,
    transfers: {
      totals: () => writer.transfers.totals(),
      onChange: (listener) => writer.transfers.onChange(listener),
      get count() {
        return all.reduce((sum, { transfers }) => sum + transfers.count, 0)
      },
      list: () => all.flatMap(({ transfers }) => transfers.list()),
      recent: () => all.flatMap(({ transfers }) => transfers.recent()),
    },
    setPublicOrigin(origin) {
      for (const host of all) host.setPublicOrigin(origin)
    },
    setTrouble(trouble) {
      for (const host of all) host.setTrouble(trouble)
    },
  }
}
