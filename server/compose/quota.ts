import type { Tier } from '../contract'
import type { PostStore } from '../features/feed/post-store'
import type { FileStore } from '../features/files/file-store'
import type { ProjectStore } from '../features/projects/project-store'
import { Quota } from '../features/quota/quota'
import type { Trash } from '../features/trash/trash'
import type { UploadStore } from '../features/resumable-uploads/upload-store'
import type { BlobStore } from '../data/blobs/blob-store'

interface Stores {
  blobs: BlobStore
  files: FileStore
  projects: ProjectStore
  posts: PostStore
  uploads: UploadStore
  trash: Trash
  tierOf: (userId: string) => Tier
}

/** Composes the quota of an account, which spans several kinds of records. */
export function composeQuota({ blobs, files, projects, posts, uploads, trash, tierOf }: Stores): Quota {
  return new Quota({
    filesOf: (userId) => files.usedBy(userId),
    textOf: (userId) => sum([projects, projects.releases, posts, uploads].map((store) => store.textOf(userId))),
    byKind: (userId) => files.byKind(userId),
    tierOf,
    freeDisk: () => blobs.free(),
    inTrash: () => trash.bytes,
    makeRoom: (bytes, userId) => trash.makeRoom(bytes, userId),
  })
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
