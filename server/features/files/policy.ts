import { isUser } from '../../access/actor'
import { definePolicy } from '../../access/policy'
import type { FileRecord } from './file-store'

/** Whether a user works on a project that offers the file. */
export type Sharing = (fileId: string, userId: string) => boolean

/** A private file is its owner's and, through their project, the collaborators'; a public one is everybody's. */
export const filePolicy = (sharing: Sharing) =>
  definePolicy<FileRecord>()('File', {
    read: (actor, file) =>
      file.isPublic || isUser(actor, file.ownerId) || (actor.kind !== 'visitor' && sharing(file.id, actor.userId)),
    update: (actor, file) => isUser(actor, file.ownerId),
    delete: (actor, file) => isUser(actor, file.ownerId),
  })

export type FilePolicy = ReturnType<typeof filePolicy>
