import { accountOf, isUser, type Tester } from '../../access/actor'
import { definePolicy } from '../../access/policy'
import type { FileRecord } from '../../data/records/file-records'

/** Questions about files that projects answer. */
export interface Sharing {
  /** Whether the user is a member of a project that offers the file. */
  isShared(fileId: string, userId: string): boolean
  /** Whether the user is a maintainer of a project to which a maintainer added the file. */
  isMaintained(fileId: string, userId: string): boolean
  /** Whether the project of a tester link offers the file to it. */
  isOfferedTo(fileId: string, tester: Tester): boolean
}

/** What previews offer. */
interface Previewing {
  /** Whether the preview with this id has the file. */
  offers(linkId: string, fileId: string): boolean
}

/**
 * Private files are readable by their owner, the collaborators of their projects, testers of their
 * releases, and recipients of their share links; public files by everyone. The visibility of a file
 * that a maintainer added is also up to the maintainers of its project. A file of a preview is only
 * for its page: its owner can delete it.
 */
export const filePolicy = (sharing: Sharing, previews: Previewing) =>
  definePolicy<FileRecord>()(
    'File',
    {
      read(actor, file) {
        if (file.isPublic || isUser(actor, file.ownerId)) return true
        if (actor.kind === 'recipient') return actor.fileId === file.id
        if (actor.kind === 'tester')
          return actor.isPreview
            ? previews.offers(actor.linkId, file.id)
            : sharing.isOfferedTo(file.id, actor)
        const userId = accountOf(actor)
        return userId !== undefined && sharing.isShared(file.id, userId)
      },
      publish(actor, file) {
        const userId = accountOf(actor)
        return (
          file.previewOf === undefined &&
          userId !== undefined &&
          (userId === file.ownerId || sharing.isMaintained(file.id, userId))
        )
      },
      update: (actor, file) => file.previewOf === undefined && isUser(actor, file.ownerId),
      share: (actor, file) => file.previewOf === undefined && isUser(actor, file.ownerId),
      delete: (actor, file) => isUser(actor, file.ownerId),
    },
    { publish: 'change who sees this file' },
  )

export type FilePolicy = ReturnType<typeof filePolicy>
