import { isBoundElsewhere, isUser, type Actor } from '../../access/actor'
import { definePolicy } from '../../access/policy'
import type { PostRecord } from '../../data/records/project-records'

/** A post and the owner of its project. */
export interface PostOnProject {
  post: PostRecord
  projectOwnerId: string
}

const owns = (actor: Actor, userId: string, { projectId }: PostRecord) =>
  isUser(actor, userId) && !isBoundElsewhere(actor, projectId)

/** Readers of the project can read; the author edits; the author and the project's owner delete. */
export const postPolicy = definePolicy<PostOnProject>()('Post', {
  read: () => true,
  update: (actor, { post }) => owns(actor, post.authorId, post),
  delete: (actor, { post, projectOwnerId }) => owns(actor, post.authorId, post) || owns(actor, projectOwnerId, post),
})
