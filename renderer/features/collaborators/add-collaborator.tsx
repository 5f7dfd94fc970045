import { Button, Group, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { useDraft } from '../../lib/forms/draft'
import { failureText } from '../../lib/client/failure'
import { messages } from '../../lib/texts/messages'
import { useAddCollaborator } from './use-collaborators'

/** An address with '@' is an email, everything else a username. */
export function AddCollaborator({ projectId }: { projectId: string }) {
  const draft = useDraft<string>(`project.${projectId}.person`)
  const [typed, setTyped] = useState(() => draft.load() ?? '')
  const [isMissing, setMissing] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const type = (value: string) => {
    setTyped(value)
    draft.save(value)
  }
  const adding = useAddCollaborator(projectId, () => type(''))

  const submit = (event: React.SyntheticEvent) => {
    event.preventDefault()
    const person = typed.trim()
    setMissing(person === '')
    if (person === '') input.current?.focus()
    else if (!adding.isPending) adding.mutate(person, { onError: () => input.current?.focus() })
  }
  const failure = adding.error && failureText(adding.error, { failed: messages.collaborator.addFailed })
  const problem = isMissing ? 'Enter a username or an email address' : failure
  return (
    <form onSubmit={submit} noValidate>
      <Group gap="xs" align="flex-start">
        <TextInput
          ref={input}
          flex="1 1 16rem"
          aria-label="Username or email"
          placeholder="Username or email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          value={typed}
          error={problem && <span role="alert">{problem}</span>}
          onChange={(event) => {
            type(event.currentTarget.value)
            setMissing(false)
            adding.reset()
          }}
        />
        <Button type="submit" loading={adding.isPending}>
          Add
        </Button>
      </Group>
    </form>
  )
}
