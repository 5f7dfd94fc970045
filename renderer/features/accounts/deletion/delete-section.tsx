import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { TRASH_DAYS } from '../../../../server/contract/limits'
import { openForm } from '../open-form'

/** Says how an account ends, and opens the form for that. */
export const DeleteSection = ({ isHost }: { isHost: boolean }) => (
  <Stack component="section" aria-labelledby="delete-account" gap="sm">
    <Title order={2} size="h3" id="delete-account">
      Delete account
    </Title>
    <Group justify="space-between" align="flex-start" gap="md">
      <Text flex="1 1 18rem">
        {isHost
          ? 'This account manages the host, so it cannot be deleted. To remove everything, quit ' +
            'Slipway and delete its data folder.'
          : 'Deletes your account with its projects and files. You can give projects to ' +
            `collaborators first. For ${TRASH_DAYS} days the host can restore everything. ` +
            'After that, it is deleted permanently.'}
      </Text>
      {!isHost && (
        <Button variant="default" onClick={() => void openDeletion()}>
          Delete account…
        </Button>
      )}
    </Group>
  </Stack>
)

const openDeletion = () =>
  openForm('Delete account', async () => (await import('./delete-account')).DeleteAccount, 'lg')
