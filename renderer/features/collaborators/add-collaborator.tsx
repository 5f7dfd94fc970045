import { Button, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { failureText } from '../../lib/failure'
import { messages } from '../../lib/messages'
import { useAddCollaborator } from './use-collaborators'

/** One field for both: an address with '@' is an email, everything else a username. */
export function AddCollaborator({ projectId }: { projectId: string }) {
  const [typed, setTyped] = useState('')
  const [isMissing, setMissing] = useState(false)
  const adding = useAddCollaborator(projectId, () => setTyped(''))

  const submit = (event: React.SyntheticEvent) => {
    event.preventDefault()
    const person = typed.trim()
    setMissing(person === '')
    if (person !== '' && !adding.isPending) adding.mutate(person)
  }
  const failure = adding.error && failureText(adding.error, { failed: messages.collaborator.addFailed })
  const problem = isMissing ? 'Enter a username or an email address' : failure
  return (
    <form onSubmit={submit} noValidate>
      <Group gap="xs" align="flex-start">
        <TextInput
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
            setTyped(event.currentTarget.value)
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
