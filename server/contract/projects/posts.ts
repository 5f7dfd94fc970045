import { z } from 'zod'
import { endpoint } from '../endpoint'
import { describe, id, pageOf, projectId, text, time } from '../fields'
import { POSTS_PAGE_SIZE, POST_MAX } from '../limits'

export const postSchema = z.object({
  post_id: id,
  author: z.string(),
  content: z.string(),
  created_at: time,
  /** Differs from `created_at` after an edit. */
  updated_at: time,
  can: z.array(z.enum(['read', 'update', 'delete'])),
})
export type Post = z.infer<typeof postSchema>

const postContent = describe(
  text(POST_MAX, `A post can have at most ${POST_MAX} characters`).min(1, 'Write something first'),
  'The text of the post',
  'Lantern 1.4.0 is out.',
)

const postPath = z.object({
  id: projectId,
  postId: describe(id, 'The id of the post', 'p3Wd8nLc5YsJ'),
})

export const posts = {
  list: endpoint('GET', '/api/projects/:id/feed', {
    summary: 'The news of a project, newest first',
    access: 'anyone',
    heavy: true,
    boundKeys: true,
    input: z.object({ id: projectId, ...pageOf(POSTS_PAGE_SIZE) }),
    reply: z.object({ posts: z.array(postSchema), has_more: z.boolean() }),
    errors: ['not_found'],
  }),
  add: endpoint('POST', '/api/projects/:id/feed', {
    summary: 'Post news',
    access: 'user',
    boundKeys: true,
    input: z.object({ id: projectId, content: postContent }),
    reply: z.object({ post: postSchema }),
    status: 201,
    errors: ['not_found', 'forbidden', 'quota_exceeded', 'too_many_records'],
  }),
  update: endpoint('PUT', '/api/projects/:id/feed/:postId', {
    summary: 'Edit your post',
    access: 'user',
    boundKeys: true,
    input: postPath.extend({ content: postContent }),
    reply: z.object({ post: postSchema }),
    errors: ['not_found', 'forbidden', 'quota_exceeded'],
  }),
  remove: endpoint('DELETE', '/api/projects/:id/feed/:postId', {
    summary: 'Delete a post',
    access: 'user',
    boundKeys: true,
    input: postPath,
    errors: ['not_found', 'forbidden'],
  }),
}
