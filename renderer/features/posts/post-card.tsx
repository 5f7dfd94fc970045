import { Card, Group, Text } from '@mantine/core'
import { Suspense, useState } from 'react'
import type { Post } from '../../../server/contract'
import { formatExactTime } from '../../lib/texts/format'
import { lazyPage } from '../../lib/browser/lazy-page'
import { Markdown } from '../../ui/markdown/markdown'
import { LateMenu, MenuButton } from '../../ui/table/late-menu'
import { Monogram } from '../../ui/text/monogram'
import { Time } from '../../ui/text/time'

/** Loaded only for authors; most readers are not. */
const PostEditor = lazyPage(() => import('./post-editor'), 'PostEditor')
const PostMenu = lazyPage(() => import('./post-menu'), 'PostMenu')

interface PostCardProps {
  post: Post
  onUpdate: (content: string) => Promise<unknown>
  onDelete: () => void
}

export function PostCard({ post, onUpdate, onDelete }: PostCardProps) {
  const [isEditing, setEditing] = useState<boolean>()
  const isOwn = post.can.includes('update') || post.can.includes('delete')

  return (
    <Card component="article" padding="md" aria-label={`Post by ${post.author}`}>
      <Group gap="sm" wrap="nowrap" mb="xs">
        <Monogram name={post.author} size={32} />
        <Text fw={600} truncate>
          {post.author}
        </Text>
        <Dates post={post} />
        {!isEditing && isOwn && (
          <LateMenu
            button={
              <MenuButton label="Actions for this post" ml="auto" autoFocus={isEditing === false} />
            }
          >
            {(start) => (
              <PostMenu
                post={post}
                onEdit={() => setEditing(true)}
                onDelete={onDelete}
                {...start}
              />
            )}
          </LateMenu>
        )}
      </Group>
      {isEditing ? (
        <Suspense>
          <PostEditor
            draft={`post.${post.post_id}`}
            label="Edit post"
            initial={post.content}
            submitLabel="Save"
            failed="Failed to update post"
            onSubmit={async (content) => {
              await onUpdate(content)
              setEditing(false)
            }}
            onCancel={() => setEditing(false)}
          />
        </Suspense>
      ) : (
        <Markdown text={post.content} small />
      )}
    </Card>
  )
}

function Dates({ post: { created_at, updated_at } }: { post: Post }) {
  return (
    <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
      <Time value={created_at} />
      {updated_at !== created_at && (
        <span title={`Edited ${formatExactTime(updated_at)}`}> · edited</span>
      )}
    </Text>
  )
}
