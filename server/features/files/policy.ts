import { isUser } from '../../access/actor'
import { definePolicy } from '../../access/policy'
import type { FileRecord } from './file-store'

/** Whether the user is a member of a project that offers the file. */
export type Sharing = (fileId: string, userId: string) => boolean

/** Private files: readable by the owner and collaborators of their projects. Public files: by everyone. */
export const filePolicy = (sharing: Sharing) =>
  definePolicy<FileRecord>()('File', {
    read: (actor, file) =>
      file.isPublic || isUser(actor, file.ownerId) || (actor.kind !== 'visitor' && sharing(file.id, actor.userId)),
    update: (actor, file) => isUser(actor, file.ownerId),
    delete: (actor, file) => isUser(actor, file.ownerId),
  })

export type FilePolicy = ReturnType<typeof filePolicy>
