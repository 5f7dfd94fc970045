import { ActionIcon, Card, Group, Menu, Text } from '@mantine/core'
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { Post } from '../../../server/contract'
import { failureText } from '../../lib/failure'
import { formatExactTime } from '../../lib/format'
import { messages } from '../../lib/messages'
import { confirm } from '../../ui/confirm'
import { Monogram } from '../../ui/monogram'
import { notifyError } from '../../ui/notify'
import { Time } from '../../ui/time'
import { PostEditor } from './post-editor'
import { PlainText } from '../../ui/plain-text'

interface PostCardProps {
  post: Post
  onUpdate: (content: string) => Promise<void>
  onDelete: () => Promise<void>
}

/** One update. Those who wrote it can edit and delete it in place. */
export function PostCard({ post, onUpdate, onDelete }: PostCardProps) {
  const [isEditing, setEditing] = useState(false)
  const remove = async () => {
    const sure = await confirm({
      title: 'Delete post',
      message: messages.post.confirmDelete,
      confirmLabel: 'Delete',
      danger: true,
    })
    if (!sure) return
    await onDelete().catch((cause: unknown) => notifyError(failureText(cause, { failed: messages.post.deleteFailed })))
  }
  return (
    <Card component="article" padding="md" aria-label={`Update by ${post.author}`}>
      <Group gap="sm" wrap="nowrap" mb="xs">
        <Monogram name={post.author} size={32} />
        <Text fw={600} truncate>
          {post.author}
        </Text>
        <Dates post={post} />
        {!isEditing && <PostMenu post={post} onEdit={() => setEditing(true)} onDelete={remove} />}
      </Group>
      {isEditing ? (
        <PostEditor
          draft={`post.${post.post_id}`}
          label="Edit update"
          initial={post.content}
          submitLabel="Save"
          failed={messages.post.updateFailed}
          onSubmit={async (content) => {
            await onUpdate(content)
            setEditing(false)
          }}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <PlainText text={post.content} size="sm" />
      )}
    </Card>
  )
}

function Dates({ post: { created_at, updated_at } }: { post: Post }) {
  return (
    <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
      <Time value={created_at} />
      {updated_at !== created_at && <span title={`Edited ${formatExactTime(updated_at)}`}> · edited</span>}
    </Text>
  )
}

function PostMenu({ post, onEdit, onDelete }: { post: Post; onEdit: () => void; onDelete: () => void }) {
  const mayEdit = post.can.includes('update')
  const mayDelete = post.can.includes('delete')
  if (!mayEdit && !mayDelete) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" ml="auto" aria-label="Actions for this update">
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {mayEdit && (
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={onEdit}>
            Edit
          </Menu.Item>
        )}
        {mayDelete && (
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={onDelete}>
            Delete
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
