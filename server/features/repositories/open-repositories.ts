import type { Foundation } from '../../compose/foundation'
import { SizedCache } from '../../core/sized-cache'
import { BuiltIndexes } from './built-indexes'
import { ContentDates } from './content-dates'
import { projectOf, TapHistories } from './git/tap-histories'

/** Enough for about 2,000 visitors. */
const MOST_BEGUN_BYTES = 1024 * 1024

/** Opens the caches and histories of the repositories for package managers. */
export function openRepositories({ data, log, sources }: Foundation) {
  const { dataDir: dir, disk, library, role } = data
  const isReadOnly = role.primary !== undefined
  const projects = library.collection('projects')

  return {
    clock: sources,
    /**
     * By index and visitor: the date of the index that a visitor began with, and the documents they
     * have fetched from it.
     */
    begun: new SizedCache<string, { date: number; taken: readonly string[] }>(MOST_BEGUN_BYTES),
    built: new BuiltIndexes(() => library.revision),
    dates: new ContentDates({ dir, disk, now: () => sources.now(), log, isReadOnly }),
    histories: new TapHistories({
      dir,
      disk,
      log,
      isReadOnly,
      ownerOf: (key) => projects.get(projectOf(key))?.ownerId,
    }),
  }
}
