import { useInfiniteQuery, type InfiniteData, type QueryClient } from '@tanstack/react-query'
import type { Post } from '../../../server/contract'
import { POSTS_PAGE_SIZE } from '../../../server/contract/limits'
import { useClient } from '../../lib/client/client-context'
import { queryKeys } from '../../lib/client/query-keys'
import { useCall } from '../../lib/client/use-call'
import { removeRepeats } from '../../lib/hooks/use-long-list'
import { confirm } from '../../ui/dialog/confirm'
import { loadMarkdown } from '../../ui/markdown/markdown'

type FeedPage = { posts: Post[]; has_more: boolean }
type FeedData = InfiniteData<FeedPage, number>

export function useProjectPosts(projectId: string) {
  const client = useClient()
  const query = useInfiniteQuery({
    queryKey: queryKeys.projects.posts(projectId),
    queryFn: async ({ pageParam, signal }) => {
      const query = { id: projectId, limit: POSTS_PAGE_SIZE, offset: pageParam }
      const [page] = await Promise.all([client.posts.list(query, signal), loadMarkdown()])
      return page
    },
    initialPageParam: 0,
    // Counts posts, not pages: local additions and deletions must not shift the next page.
    getNextPageParam: ({ has_more }, pages) => (has_more ? joinPosts(pages).length : undefined),
  })

  return { ...query, data: query.data && postsOf(query.data.pages) }
}

/** Actions on posts. Each change shows the host's reply immediately. */
export function usePostActions(projectId: string) {
  const edit = (cache: QueryClient, change: (posts: readonly Post[]) => Post[]) =>
    cache.setQueryData<FeedData>(
      queryKeys.projects.posts(projectId),
      (data) => data && changePosts(data, change),
    )

  const adding = useCall(
    (client, content: string) => client.posts.add({ id: projectId, content }),
    {
      after: (cache, { post }) => edit(cache, (posts) => [post, ...posts]),
      done: 'Post added successfully!',
    },
  )
  const changing = useCall(
    (client, change: PostChange) => client.posts.update({ id: projectId, ...change }),
    {
      after: (cache, { post }) =>
        edit(cache, (posts) =>
          posts.map((other) => (other.post_id === post.post_id ? post : other)),
        ),
      done: 'Post updated successfully!',
    },
  )

  const removal = useCall(
    (client, postId: string) => client.posts.remove({ id: projectId, postId }),
    {
      ask: () =>
        confirm({
          title: 'Delete post',
          message: 'Delete this post?',
          confirmLabel: 'Delete',
          danger: true,
        }),
      after: (cache, _reply, postId) =>
        edit(cache, (posts) => posts.filter(({ post_id }) => post_id !== postId)),
      done: 'Post deleted successfully!',
      failed: 'Failed to delete post',
    },
  )

  return { add: adding.mutateAsync, update: changing.mutateAsync, remove: removal.mutate }
}

interface PostChange {
  postId: string
  content: string
}

const postsOf = (pages: readonly FeedPage[]): Post[] =>
  removeRepeats(joinPosts(pages), ({ post_id }) => post_id)

const joinPosts = (pages: readonly FeedPage[]): Post[] => pages.flatMap(({ posts }) => posts)

/** Merges all loaded posts into one page: only their number matters for the next one. */
function changePosts({ pages }: FeedData, change: (posts: readonly Post[]) => Post[]): FeedData {
  const has_more = pages.at(-1)?.has_more ?? false
  return { pages: [{ posts: change(postsOf(pages)), has_more }], pageParams: [0] }
}
