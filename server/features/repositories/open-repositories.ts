import type { Foundation } from '../../compose/foundation'
import { BuiltIndexes } from './built-indexes'
import { ContentDates } from './content-dates'
import { projectOf, TapHistories } from './git/tap-histories'

/** Builds what repositories for package managers remember. */
export function openRepositories({ data, log, sources }: Foundation) {
  const { dataDir: dir, disk, library, reader } = data
  const isReader = reader !== undefined
  const projects = library.collection('projects')
  return {
    built: new BuiltIndexes(() => library.revision),
    dates: new ContentDates({ dir, disk, now: () => sources.now(), log, isReader }),
    histories: new TapHistories({ dir, disk, log, isReader, ownerOf: (key) => projects.get(projectOf(key))?.ownerId }),
  }
}
