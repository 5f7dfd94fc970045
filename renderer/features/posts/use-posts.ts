import { useInfiniteQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query'
import { FEED_PAGE_SIZE, type Post } from '../../../server/contract'
import { useClient } from '../../lib/client/client-context'
import { messages } from '../../lib/texts/messages'
import { queryKeys } from '../../lib/client/query-keys'
import { notifySuccess } from '../../ui/feedback/notify'

type FeedPage = { posts: Post[]; has_more: boolean }
type FeedData = InfiniteData<FeedPage, number>

export function useFeed(projectId: string) {
  const client = useClient()
  const cache = useQueryClient()
  const queryKey = queryKeys.projects.feed(projectId)

  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      client.feed.list({ id: projectId, limit: FEED_PAGE_SIZE, offset: pageParam }, signal),
    initialPageParam: 0,
    // Counts posts, not pages: local additions and deletions must not shift the next page.
    getNextPageParam: ({ has_more }, pages) => (has_more ? postsOf(pages).length : undefined),
  })
  const edit = (change: (posts: readonly Post[]) => Post[]) =>
    cache.setQueryData<FeedData>(queryKey, (data) => data && changed(data, change))

  const add = async (content: string) => {
    const { post } = await client.feed.add({ id: projectId, content })
    edit((posts) => [post, ...posts])
    notifySuccess(messages.post.added)
  }
  const update = async (postId: string, content: string) => {
    const { post } = await client.feed.update({ id: projectId, postId, content })
    edit((posts) => posts.map((other) => (other.post_id === postId ? post : other)))
    notifySuccess(messages.post.updated)
  }
  const remove = async (postId: string) => {
    await client.feed.remove({ id: projectId, postId })
    edit((posts) => posts.filter((other) => other.post_id !== postId))
    notifySuccess(messages.post.deleted)
  }
  return { ...query, posts: query.data && postsOf(query.data.pages), add, update, remove }
}

const postsOf = (pages: readonly FeedPage[]): Post[] => pages.flatMap(({ posts }) => posts)

/** Merges all loaded posts into one page: only their number matters for the next one. */
function changed({ pages }: FeedData, change: (posts: readonly Post[]) => Post[]): FeedData {
  const has_more = pages.at(-1)?.has_more ?? false
  return { pages: [{ posts: change(postsOf(pages)), has_more }], pageParams: [0] }
}
