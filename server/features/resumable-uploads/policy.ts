import { boundProject, isUser, type Actor } from '../../access/actor'
import { definePolicy } from '../../access/policy'
import type { UploadRecord } from '../../data/records/upload-records'

/** Only the sender can access an upload; a project-bound key only uploads to that project. */
const isTheirs = (actor: Actor, { ownerId, projectId }: UploadRecord) =>
  isUser(actor, ownerId) && (boundProject(actor) === null || boundProject(actor) === projectId)

export const uploadPolicy = definePolicy<UploadRecord>()('Upload', {
  read: isTheirs,
  append: isTheirs,
  delete: isTheirs,
})
