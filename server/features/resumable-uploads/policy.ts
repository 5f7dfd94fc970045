import { boundProject, isUser, type Actor } from '../../access/actor'
import { definePolicy } from '../../access/policy'
import type { UploadRecord } from './upload-store'

/** An upload is its sender's alone, and a key's that is bound to a project only if it goes there. */
const isTheirs = (actor: Actor, { ownerId, projectId }: UploadRecord) =>
  isUser(actor, ownerId) && (boundProject(actor) === null || boundProject(actor) === projectId)

export const uploadPolicy = definePolicy<UploadRecord>()('Upload', {
  read: isTheirs,
  append: isTheirs,
  delete: isTheirs,
})
