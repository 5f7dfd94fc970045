import { Card } from '@mantine/core'
import { PostEditor } from './post-editor'

interface PostComposerProps {
  projectId: string
  onPost: (content: string) => Promise<unknown>
}

export function PostComposer({ projectId, onPost }: PostComposerProps) {
  return (
    <Card component="section" padding="md" aria-label="New post">
      <PostEditor
        draft={`project.${projectId}.post`}
        label="New post"
        placeholder="What is new?"
        submitLabel="Add post"
        failed="Failed to add post"
        onSubmit={onPost}
      />
    </Card>
  )
}
