import { Button, Group, Text, Textarea } from '@mantine/core'
import { useId, useRef, useState } from 'react'
import { POST_MAX, postContent } from '../../../server/contract'
import { useDraft } from '../../lib/forms/draft'
import { failureText } from '../../lib/client/failure'
import { formatWhole } from '../../lib/texts/format'
import { MarkdownHint } from '../../ui/markdown/markdown-hint'

interface PostEditorProps {
  draft: string
  label: string
  placeholder?: string
  initial?: string
  submitLabel: string
  failed: string
  onSubmit: (content: string) => Promise<void>
  onCancel?: () => void
}

export function PostEditor({ label, placeholder = '', submitLabel, onCancel, ...options }: PostEditorProps) {
  const { text, type, isPending, problem, count, submit, cancel, input } = usePostEditor(options)
  const counter = useId()
  return (
    <form onSubmit={submit} noValidate>
      <Textarea
        ref={input}
        aria-label={label}
        aria-describedby={counter}
        placeholder={placeholder}
        description={<MarkdownHint />}
        inputWrapperOrder={['input', 'description', 'error']}
        autosize
        minRows={3}
        maxRows={20}
        value={text}
        error={problem && <span role="alert">{problem}</span>}
        autoFocus={onCancel !== undefined}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
        }}
      />
      <Group gap="xs" mt="xs">
        <Button type="submit" loading={isPending} disabled={count === 0}>
          {submitLabel}
        </Button>
        {onCancel && (
          <Button
            variant="subtle"
            color="gray"
            onClick={() => {
              cancel()
              onCancel()
            }}
          >
            Cancel
          </Button>
        )}
        <Text id={counter} size="xs" c={count > POST_MAX ? 'var(--mantine-color-error)' : 'dimmed'} ml="auto">
          {formatWhole(count)} / {formatWhole(POST_MAX)}
        </Text>
      </Group>
    </form>
  )
}

type Options = Pick<PostEditorProps, 'draft' | 'initial' | 'failed' | 'onSubmit'>

function usePostEditor({ draft: draftName, initial = '', failed, onSubmit }: Options) {
  const draft = useDraft<string>(draftName)
  const [text, setText] = useState(() => draft.load() ?? initial)
  const [problem, setProblem] = useState<string>()
  const [isPending, setPending] = useState(false)
  const input = useRef<HTMLTextAreaElement>(null)

  const refuse = (why: string | undefined) => {
    setProblem(why)
    input.current?.focus()
  }
  const type = (value: string) => {
    setText(value)
    setProblem(undefined)
    draft.save(value)
  }
  const send = async () => {
    const content = postContent.safeParse(text)
    if (!content.success) return refuse(content.error.issues[0]?.message)
    setPending(true)
    try {
      await onSubmit(content.data)
      draft.clear()
      setText(initial)
    } catch (cause) {
      refuse(failureText(cause, { failed }))
    } finally {
      setPending(false)
    }
  }
  const submit = (event: React.SyntheticEvent) => {
    event.preventDefault()
    if (!isPending) void send()
  }
  return { text, type, isPending, problem, count: text.trim().length, submit, cancel: draft.clear, input }
}
