import { join, posix } from 'node:path'
import type { Projects } from '../../compose/projects'
import type { Transfers } from '../../compose/transfers'
import { AppError } from '../../core/errors'
import { versionInside, type Versioned } from '../../core/versions'
import type { LocalFile } from '../local-files/local-file'
import type { Entry } from './folder-look'
import type { WatchStore } from './watch-store'
import type { WatchRecord } from '../../data/records/watch-records'

export interface TakeDeps {
  store: WatchStore
  publishLocal: Transfers['publishLocal']
  linkingTo: Projects['linkingTo']
  offers: (projectId: string, sha256: string) => boolean
  versionIn: (filename: string) => string | null
  isActive: (userId: string) => boolean
}

/**
 * Publishes a build for the project's owner and compares it with earlier ones. Throws AppError:
 * `taken` if the project has these bytes, `precondition_failed` if the file changed during the
 * copy.
 */
export async function takeBuild(
  deps: TakeDeps,
  watch: WatchRecord,
  entry: Entry,
  signal: AbortSignal,
) {
  const { store, publishLocal, linkingTo, offers, versionIn, isActive } = deps
  const { ownerId, projectId, folder, versionFrom, isPublic } = watch

  if (!isActive(ownerId))
    throw new AppError('forbidden', 'The account that would publish it is disabled')
  const { link } = linkingTo({ kind: 'user', userId: ownerId, credential: 'session' }, projectId)

  const { name, size, modifiedMs } = entry
  const source: LocalFile = {
    path: join(folder, name),
    snapshot: { size, modifiedMs },
    within: folder,
  }

  const filename = posix.basename(name)
  const inName = versionIn(filename)
  // Null: publishing reads the version from the package.
  const version = versionFrom === 'name' ? inName : null

  const versionOf = (file: Versioned) => file.version ?? versionInside(file.facts) ?? inName

  const warnings = await publishLocal(
    source,
    { filename, version },
    { payerId: ownerId, signal },
    {
      place({ sha256 }) {
        if (store.hasTaken(projectId, sha256) || offers(projectId, sha256)) {
          throw new AppError('taken', 'The project already had a file with these bytes')
        }

        return {
          ownerId,
          payerId: ownerId,
          isOwn: true,
          isPublic,
          link: (tx, file) => link(tx, file, { version: versionOf(file) }),
        }
      },
      record(tx, file, warned = []) {
        const { sha256 } = file
        store.published(tx, watch, entry, { sha256, version: versionOf(file), warnings: warned })
        return warned
      },
    },
  )
  return { isPublic, warnings }
}
