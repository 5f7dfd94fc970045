import { Modal, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { api, tiers } from '../../../../server/contract'
import { ProjectSelect } from '../../../lib/forms/project-select'
import { useApiForm } from '../../../lib/forms/use-api-form'
import { useHost, useShareUrl } from '../../../lib/host/host'
import { useMyProjects } from '../../../lib/hooks/use-my-projects'
import { OnlyThisComputer } from '../../../lib/links/only-this-computer'
import { ShownOnce } from '../../../ui/dialog/shown-once'
import { FormFrame } from '../../../ui/form-frame'
import { useCreateInvite } from './use-invites'

const DEFAULT_TIER = 'Default tier'
const blank: { tier_name: string; email: string; project_id: string | null } = {
  email: '',
  tier_name: DEFAULT_TIER,
  project_id: null,
}

/** Makes an invite link, and shows it once. */
export function InviteDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [path, setPath] = useState<string>()
  const share = useShareUrl()

  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      onExitTransitionEnd={() => setPath(undefined)}
      title={path === undefined ? 'Invite a person' : 'Invite link'}
      closeOnClickOutside={path === undefined}
      closeOnEscape={path === undefined}
      withCloseButton={path === undefined}
    >
      {path === undefined ? (
        <InviteForm onCreated={setPath} onCancel={onClose} />
      ) : (
        <ShownOnce
          value={share(path)}
          label="Invite link"
          what="link"
          text="It works once, within 7 days, for anyone who has it. Send it to one person only."
          notice={<OnlyThisComputer />}
          onDone={onClose}
        />
      )}
    </Modal>
  )
}

function InviteForm({
  onCreated,
  onCancel,
}: {
  onCreated: (path: string) => void
  onCancel: () => void
}) {
  const create = useCreateInvite()
  const { single_sign_on: provider } = useHost()

  const own = useMyProjects().data?.filter(({ role }) => role === 'owner') ?? []
  const form = useApiForm({
    saved: blank,
    schema: api.invites.create.input,
    toInput: ({ tier_name: tier, email, project_id }) => ({
      email: email === '' ? undefined : email,
      tier_name: tier === DEFAULT_TIER ? undefined : tier,
      project_id: project_id ?? undefined,
    }),
    send: async (offer) => onCreated(await create(offer)),
    failed: 'Failed to create the invite link',
  })

  return (
    <FormFrame form={form} submit="Create invite link" onCancel={onCancel}>
      <NativeSelect
        label="Tier"
        description="How much the new account can store"
        data-autofocus
        data={[DEFAULT_TIER, ...tiers]}
        {...form.getInputProps('tier_name')}
      />
      {provider && (
        <TextInput
          label="Email"
          description={
            'Optional. Then the link is only for this address. A person whose address ' +
            `${provider.name} has verified can sign in without the link.`
          }
          type="email"
          autoComplete="off"
          {...form.getInputProps('email')}
        />
      )}
      {own.length > 0 && (
        <ProjectSelect
          label="Project"
          description="Adds the new account to a project of yours as a collaborator"
          placeholder="None"
          clearable
          projects={own}
          {...form.getInputProps('project_id')}
        />
      )}
    </FormFrame>
  )
}
