import type Router from '@koa/router'
import { isBoundElsewhere, isUser, userIdOf, type Actor } from '../../access/actor'
import { definePolicy } from '../../access/policy'
import type { PostRecord } from '../../data/records/project-records'
import type { Rooms } from '../../compose/context'
import { api, type Post } from '../../contract'
import { serve } from '../../http/endpoint/serve'

/** A post and the owner of its project. */
interface PostOnProject {
  post: PostRecord
  projectOwnerId: string
}

const owns = (actor: Actor, userId: string, { projectId }: PostRecord) =>
  isUser(actor, userId) && !isBoundElsewhere(actor, projectId)

/**
 * Readers of the project can read posts, the author edits, the author and the project's owner
 * delete.
 */
const postPolicy = definePolicy<PostOnProject>()('Post', {
  read: () => true,
  update: (actor, { post }) => owns(actor, post.authorId, post),
  delete: (actor, { post, projectOwnerId }) =>
    owns(actor, post.authorId, post) || owns(actor, projectOwnerId, post),
})

export function postRoutes(
  router: Router,
  { projects: room, accounts }: Rooms<'accounts' | 'projects'>,
): void {
  const { store: projects, policy: projectPolicy, events: projectEvents, posts } = room

  const present = (subject: PostOnProject, actor: Actor) =>
    presentPost(subject, accounts.users.nameOf(subject.post.authorId), actor)

  const findSubject = (
    actor: Actor,
    path: { id: string; postId: string },
  ): PostOnProject | undefined => {
    const project = projectPolicy.require(actor, 'read', projects.find(path.id))
    const post = posts.find(project.id, path.postId)
    return post && { post, projectOwnerId: project.ownerId }
  }

  serve(router, api.posts.list, ({ actor, input }) => {
    const project = projectPolicy.require(actor, 'read', projects.find(input.id))
    const all = posts.ofProject(project.id)
    const page = all.slice(input.offset, input.offset + input.limit)

    return {
      posts: page.map((post) => present({ post, projectOwnerId: project.ownerId }, actor)),
      has_more: input.offset + page.length < all.length,
    }
  })

  serve(router, api.posts.add, async ({ actor, input }) => {
    const project = projectPolicy.require(actor, 'post', projects.find(input.id))

    const post = await posts.add({
      projectId: project.id,
      authorId: userIdOf(actor),
      content: input.content,
    })
    projectEvents.emit({ kind: 'update', project, userId: post.authorId, subjectId: null })

    return { post: present({ post, projectOwnerId: project.ownerId }, actor) }
  })

  serve(router, api.posts.update, async ({ actor, input }) => {
    const { post, projectOwnerId } = postPolicy.require(actor, 'update', findSubject(actor, input))
    return {
      post: present({ post: await posts.update(post.id, input.content), projectOwnerId }, actor),
    }
  })

  serve(router, api.posts.remove, async ({ actor, input }) => {
    const { post } = postPolicy.require(actor, 'delete', findSubject(actor, input))
    await posts.remove(post.id)
    return {}
  })
}

const presentPost = (subject: PostOnProject, author: string, actor: Actor): Post => ({
  post_id: subject.post.id,
  author,
  content: subject.post.content,
  created_at: subject.post.createdAt,
  updated_at: subject.post.updatedAt,
  can: postPolicy.abilities(actor, subject),
})
