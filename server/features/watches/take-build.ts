import { join, posix } from 'node:path'
import type { Actor } from '../../access/actor'
import { AppError } from '../../core/errors'
import type { Transaction } from '../../data/library/library'
import type { Entry } from './folder-look'
import type { WatchRecord, WatchStore } from './watch-store'

interface Published {
  id: string
  isPublic: boolean
  sha256: string
  version: string | null
  packageVersion?: string | undefined
}

export interface TakeNeeds {
  store: WatchStore
  /** The way in which files of this machine are published. */
  publishLocal: (
    source: { path: string; seen: { size: number; modifiedMs: number }; within: string },
    upload: { ownerId: string; filename: string; isPublic: boolean; version: string | null; sha256: undefined },
    options: { signal: AbortSignal; also: (tx: Transaction, file: Published) => void },
  ) => Promise<Published>
  /** Throws `not_found` or `forbidden`. */
  linkingTo: (
    actor: Actor,
    projectId: string,
  ) => (tx: Transaction, fileId: string, release: { version: string | null }) => void
  /** Whether the project offers a file of these bytes. */
  offers: (projectId: string, sha256: string) => boolean
  versionIn: (filename: string) => string | null
  /** Whether the account may do anything. */
  isActive: (userId: string) => boolean
}

/**
 * Publishes a build of a watched folder in the name of the project's owner. Throws AppError for what cannot be published:
 * `taken` where the project has the same bytes, `precondition_failed` where the file was changed meanwhile.
 */
export async function takeBuild(needs: TakeNeeds, watch: WatchRecord, entry: Entry, signal: AbortSignal) {
  const { store, publishLocal, linkingTo, offers, versionIn, isActive } = needs
  const { ownerId, projectId, folder, versionFrom, isPublic } = watch
  if (!isActive(ownerId)) throw new AppError('forbidden', 'The account that would publish it is disabled')
  const link = linkingTo({ kind: 'user', userId: ownerId, credential: 'session' }, projectId)
  const { name, size, modifiedMs } = entry
  const source = { path: join(folder, name), seen: { size, modifiedMs }, within: folder }
  const filename = posix.basename(name)
  const inName = versionIn(filename)
  // Where none is given, the publication looks into the package.
  const version = versionFrom === 'name' ? inName : null
  const also = (tx: Transaction, file: Published) => {
    if (store.hasTaken(projectId, file.sha256) || offers(projectId, file.sha256)) {
      throw new AppError('taken', 'The project already had a file with these bytes')
    }
    const told = file.version ?? file.packageVersion ?? inName
    link(tx, file.id, { version: told })
    store.published(tx, watch, entry, { sha256: file.sha256, version: told })
  }
  return publishLocal(source, { ownerId, filename, isPublic, version, sha256: undefined }, { signal, also })
}
