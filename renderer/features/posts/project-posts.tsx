import { Box, Button, Center, Skeleton, Stack, Text } from '@mantine/core'
import { IconMessage } from '@tabler/icons-react'
import { AfterFirstView } from '../../lib/browser/after-first-view'
import { lazyPage } from '../../lib/browser/lazy-page'
import { EmptyState } from '../../ui/feedback/empty-state'
import { Loaded } from '../../ui/feedback/loaded'
import { PostCard } from './post-card'
import { useProjectPosts, usePostActions } from './use-posts'
import { useReachEnd } from '../../ui/table/use-reach-end'

const PostComposer = lazyPage(() => import('./post-composer'), 'PostComposer')

interface ProjectPostsProps {
  projectId: string
  canPost: boolean
  /** Without posts, hides the section around it. */
  isQuiet?: boolean
}

export function ProjectPosts({ projectId, canPost, isQuiet = false }: ProjectPostsProps) {
  const query = useProjectPosts(projectId)
  const { add, update, remove } = usePostActions(projectId)

  return (
    <Stack gap="md">
      {canPost && (
        // As tall as the composer, so that nothing moves when it loads.
        <Box mih={{ base: 199, sm: 181 }}>
          <AfterFirstView>
            <PostComposer projectId={projectId} onPost={add} />
          </AfterFirstView>
        </Box>
      )}
      <Loaded query={query} title="The news could not be loaded" skeleton={<PostsSkeleton />}>
        {(posts) => (
          <>
            {posts.length === 0 &&
              (isQuiet ? <span data-no-news /> : <NoPosts canPost={canPost} />)}
            {posts.map((post) => (
              <PostCard
                key={post.post_id}
                post={post}
                onUpdate={(content) => update({ postId: post.post_id, content })}
                onDelete={() => remove(post.post_id)}
              />
            ))}
            <OlderPosts {...query} failed={query.error !== null} count={posts.length} />
          </>
        )}
      </Loaded>
    </Stack>
  )
}

function NoPosts({ canPost }: { canPost: boolean }) {
  return (
    <EmptyState
      icon={IconMessage}
      title="No news yet"
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
function OlderPosts({
  count,
  failed,
  hasNextPage,
  isFetchingNextPage,
  fetchNextPage,
}: OlderPostsProps) {
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
        {failed ? 'Older news could not be loaded. Try again' : 'Show older news'}
      </Button>
    </Center>
  )
}

function PostsSkeleton() {
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
