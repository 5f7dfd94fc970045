import { Text, Textarea } from '@mantine/core'
import { useId } from 'react'
import { api, POST_MAX } from '../../../server/contract'
import { useApiForm } from '../../lib/forms/use-api-form'
import { formatWhole } from '../../lib/texts/format'
import { FormFrame } from '../../ui/form-frame'
import { MarkdownHint } from '../../ui/markdown/markdown-hint'

interface PostEditorProps {
  draft: string
  label: string
  placeholder?: string
  initial?: string
  submitLabel: string
  failed: string
  onSubmit: (content: string) => Promise<unknown>
  onCancel?: () => void
}

const schema = api.posts.add.input.pick({ content: true })

export function PostEditor({
  draft,
  label,
  placeholder = '',
  initial = '',
  ...rest
}: PostEditorProps) {
  const { submitLabel, failed, onSubmit, onCancel } = rest
  const saved = { content: initial }

  const form = useApiForm({
    draft,
    saved,
    schema,
    send: async ({ content }) => {
      await onSubmit(content)
      return saved
    },
    failed,
    failuresAt: 'content',
  })

  const problem = form.errors.content
  const count = form.values.content.trim().length
  const counter = useId()

  const counted = (
    <Text
      id={counter}
      size="xs"
      c={count > POST_MAX ? 'var(--mantine-color-error)' : 'dimmed'}
      ml="auto"
    >
      {formatWhole(count)} / {formatWhole(POST_MAX)}
    </Text>
  )

  return (
    <FormFrame
      form={form}
      submit={submitLabel}
      button={{ disabled: count === 0 }}
      {...(onCancel && { onCancel })}
      end={counted}
      gap="xs"
    >
      <Textarea
        aria-label={label}
        aria-describedby={counter}
        placeholder={placeholder}
        description={<MarkdownHint />}
        inputWrapperOrder={['input', 'description', 'error']}
        autosize
        minRows={3}
        maxRows={20}
        autoFocus={onCancel !== undefined}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.submit(event)
        }}
        {...form.getInputProps('content')}
        error={problem && <span role="alert">{problem}</span>}
      />
    </FormFrame>
  )
}
