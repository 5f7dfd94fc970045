import { Card } from '@mantine/core'
import { messages } from '../../lib/texts/messages'
import { PostEditor } from './post-editor'

interface PostComposerProps {
  projectId: string
  onPost: (content: string) => Promise<void>
}

export function PostComposer({ projectId, onPost }: PostComposerProps) {
  return (
    <Card component="section" padding="md" aria-label="New update">
      <PostEditor
        draft={`project.${projectId}.post`}
        label="New update"
        placeholder="What is new?"
        submitLabel="Post update"
        failed={messages.post.addFailed}
        onSubmit={onPost}
      />
    </Card>
  )
}
