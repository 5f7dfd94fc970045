import type { UserRecord } from '../../features/accounts/user-store'
import type { PostRecord } from '../../features/feed/post-store'
import type { FileRecord } from '../../features/files/file-store'
import type { LinkRecord } from '../../features/projects/link-store'
import type { ProjectRecord } from '../../features/projects/project-store'
import type { ReservedSlug } from '../../features/projects/reserved-slugs'
import type { TrashRecord } from '../../features/trash/trash'
import type { LibraryData } from '../library/library-data'

/** The records of a library that nobody runs, by the nouns that own them. */
export interface Records {
  users: Map<string, UserRecord>
  files: Map<string, FileRecord>
  projects: Map<string, ProjectRecord>
  links: Map<string, LinkRecord>
  posts: Map<string, PostRecord>
  trash: Map<string, TrashRecord>
  reservedSlugs: Map<string, ReservedSlug>
}

export const recordsOf = ({ collections }: LibraryData): Records => collections as unknown as Records

/** Bytes that the library promises to have. */
export interface PromisedBlob {
  blobId: string
  size: number
  sha256: string
  /** Whose they are, for people. */
  name: string
}

/** Every blob that a record names, those in the trash included. */
export function* promisedBlobs({ files, trash }: Records): Generator<PromisedBlob> {
  for (const { blobId, size, sha256, filename } of files.values()) yield { blobId, size, sha256, name: filename }
  for (const { kind, value } of trash.values()) {
    if (kind !== 'file') continue
    const { blobId, size, sha256, filename } = (value as { file: FileRecord }).file
    yield { blobId, size, sha256, name: filename }
  }
}
