import { Alert, Button, Group, Modal, NativeSelect, Select, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAlertTriangle, IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { tiers, type Tier } from '../../../../server/contract'
import { failureText } from '../../../lib/client/failure'
import { hostMessages } from '../../../lib/texts/host-messages'
import { useMyProjects } from '../../../lib/hooks/use-my-projects'
import { ShownOnce } from '../../../ui/dialog/shown-once'
import { useCreateInvite } from './use-invites'

const DEFAULT_TIER = 'Default tier'

export function InvitePerson() {
  const [isOpen, { open, close }] = useDisclosure(false)
  const [url, setUrl] = useState<string>()
  return (
    <>
      <Button flex="none" leftSection={<IconUserPlus size={16} />} onClick={open}>
        Invite
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        onExitTransitionEnd={() => setUrl(undefined)}
        title={url === undefined ? 'Invite a person' : 'Invite link'}
        closeOnClickOutside={url === undefined}
        closeOnEscape={url === undefined}
        withCloseButton={url === undefined}
      >
        {url === undefined ? (
          <InviteForm onCreated={setUrl} onCancel={close} />
        ) : (
          <ShownOnce
            value={url}
            label="Invite link"
            copyLabel="Copy link"
            {...hostMessages.invite.shown}
            onDone={close}
          />
        )}
      </Modal>
    </>
  )
}

function InviteForm({ onCreated, onCancel }: { onCreated: (url: string) => void; onCancel: () => void }) {
  const [tier, setTier] = useState<Tier>()
  const [project, setProject] = useState<string | null>(null)
  const create = useCreateInvite(onCreated)
  const own = useMyProjects().data?.filter(({ role }) => role === 'owner') ?? []
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!create.isPending) create.mutate({ tier_name: tier, project_id: project ?? undefined })
      }}
    >
      <Stack gap="md">
        {create.error && (
          <Alert role="alert" color="red" variant="light" icon={<IconAlertTriangle />}>
            {failureText(create.error, { failed: hostMessages.invite.createFailed })}
          </Alert>
        )}
        <NativeSelect
          label="Tier"
          description="How much the new account can store"
          data-autofocus
          data={[DEFAULT_TIER, ...tiers]}
          value={tier ?? DEFAULT_TIER}
          onChange={({ currentTarget }) => setTier(tiers[currentTarget.selectedIndex - 1])}
        />
        {own.length > 0 && (
          <Select
            label="Project"
            description="Adds the new account to a project of yours as a collaborator"
            placeholder="None"
            clearable
            searchable
            nothingFoundMessage="No project of that name"
            data={own.map(({ project_id, title }) => ({ value: project_id, label: title }))}
            value={project}
            onChange={setProject}
          />
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="subtle" color="gray" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create invite link
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
