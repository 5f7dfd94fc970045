import { Button, Center, Skeleton, Stack, Text } from '@mantine/core'
import { IconMessage } from '@tabler/icons-react'
import { Suspense } from 'react'
import { lazyPage } from '../../lib/browser/lazy-page'
import { EmptyState } from '../../ui/feedback/empty-state'
import { LoadError } from '../../ui/feedback/load-error'
import { PostCard } from './post-card'
import { useFeed } from './use-posts'
import { useReachEnd } from '../../ui/table/use-reach-end'

const PostComposer = lazyPage(() => import('./post-composer'), 'PostComposer')

interface ProjectFeedProps {
  projectId: string
  canPost: boolean
}

export function ProjectFeed({ projectId, canPost }: ProjectFeedProps) {
  const { posts, error, refetch, add, update, remove, ...more } = useFeed(projectId)
  return (
    <Stack gap="md">
      {canPost && (
        <Suspense fallback={<Skeleton h={163} />}>
          <PostComposer projectId={projectId} onPost={add} />
        </Suspense>
      )}
      {!posts && !error && <FeedSkeleton />}
      {!posts && error && (
        <LoadError title="The updates could not be loaded" error={error} onRetry={() => void refetch()} />
      )}
      {posts?.length === 0 && <NoPosts canPost={canPost} />}
      {posts?.map((post) => (
        <PostCard
          key={post.post_id}
          post={post}
          onUpdate={(content) => update(post.post_id, content)}
          onDelete={() => remove(post.post_id)}
        />
      ))}
      {posts && <OlderPosts {...more} failed={error !== null} count={posts.length} />}
    </Stack>
  )
}

function NoPosts({ canPost }: { canPost: boolean }) {
  return (
    <EmptyState
      icon={IconMessage}
      title="No updates yet"
      text={canPost ? 'Tell your users what is new.' : 'News about this project will appear here.'}
    />
  )
}

interface OlderPostsProps {
  count: number
  failed: boolean
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => unknown
}

/** Loads more at the end of the list, and offers a button for readers who do not scroll. */
function OlderPosts({ count, failed, hasNextPage, isFetchingNextPage, fetchNextPage }: OlderPostsProps) {
  const end = useReachEnd(hasNextPage && !isFetchingNextPage && !failed, fetchNextPage)
  if (!hasNextPage) {
    if (count <= 10) return null
    return (
      <Text c="dimmed" size="xs" ta="center">
        That is everything.
      </Text>
    )
  }
  return (
    <Center ref={end}>
      <Button variant="subtle" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {failed ? 'Older updates could not be loaded. Try again' : 'Show older updates'}
      </Button>
    </Center>
  )
}

function FeedSkeleton() {
  return (
    <Stack gap="md" role="status" aria-label="Loading">
      {Array.from({ length: 3 }, (_, post) => (
        <Stack key={post} gap="xs">
          <Skeleton h={14} w={180} />
          <Skeleton h={56} />
        </Stack>
      ))}
    </Stack>
  )
}
