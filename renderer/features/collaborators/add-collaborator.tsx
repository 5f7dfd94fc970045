import { Anchor, Group, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import type { CollaboratorRole } from '../../../server/contract/accounts/collaborators'
import { ApiError } from '../../lib/client/api-client'
import { useApiForm } from '../../lib/forms/use-api-form'
import { useManagesHost } from '../../lib/session/use-manages-host'
import { paths } from '../../paths'
import { FormFrame, SubmitButton } from '../../ui/form-frame'
import { plainInput } from '../../ui/plain-input'
import { RoleSelect } from './role-select'
import { useAddCollaborator } from './use-collaborators'

const blank = { person: '', role: 'collaborator' as CollaboratorRole }

/** An address with '@' is an email, everything else a username. */
export function AddCollaborator({ projectId }: { projectId: string }) {
  const add = useAddCollaborator(projectId)
  const [missing, setMissing] = useState<string>()
  const form = useApiForm({
    draft: `project.${projectId}.person`,
    saved: blank,
    findMistakes: ({ person }) =>
      person.trim() === '' ? { person: 'Enter a username or an email address' } : {},
    send: async ({ person, role }) => {
      setMissing(undefined)
      try {
        await add({ person: person.trim(), role })
      } catch (cause) {
        if (cause instanceof ApiError && cause.message === 'User not found')
          setMissing(person.trim())
        throw cause
      }
      return blank
    },
    failed: 'Failed to add collaborator',
    failuresAt: 'person',
  })

  const problem = form.errors.person

  return (
    <FormFrame form={form}>
      <Group gap="xs" align="flex-start">
        <TextInput
          flex="1 1 16rem"
          aria-label="Username or email"
          placeholder="Username or email"
          {...plainInput}
          maxLength={254}
          {...form.getInputProps('person')}
          error={problem && <span role="alert">{problem}</span>}
        />
        <RoleSelect aria-label="Role" {...form.getInputProps('role')} />
        <SubmitButton form={form}>Add</SubmitButton>
      </Group>
      {problem && missing !== undefined && <NotHere person={missing} />}
    </FormFrame>
  )
}

function NotHere({ person }: { person: string }) {
  const mayInvite = useManagesHost() === true

  return (
    <Text size="sm">
      No account called “{person}” on this host.{' '}
      {mayInvite ? (
        <Anchor component={Link} to={paths.people}>
          Invite by link
        </Anchor>
      ) : (
        'Ask the host for an invite link.'
      )}
    </Text>
  )
}
