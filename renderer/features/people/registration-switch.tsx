import { Paper, Switch } from '@mantine/core'
import { useSetRegistration } from './use-registration'

export function RegistrationSwitch({ isOpen }: { isOpen: boolean }) {
  const setOpen = useSetRegistration()
  return (
    <Paper withBorder px="md" py="sm">
      <Switch
        label="Let new people register"
        description={
          isOpen
            ? 'Anyone who can reach this host can create an account in the Free tier.'
            : 'Only people with an invite link can register.'
        }
        checked={isOpen}
        onChange={({ currentTarget }) => setOpen(currentTarget.checked)}
      />
    </Paper>
  )
}
