import { Paper, Switch } from '@mantine/core'
import type { QueryClient } from '@tanstack/react-query'
import { useCall } from '../../lib/client/use-call'
import { queryKeys } from '../../lib/client/query-keys'
import type { People } from './use-people'

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

const useSetRegistration = () =>
  useCall((client, open: boolean) => client.people.setRegistration({ open }), {
    show: async (cache, open) => {
      await cache.cancelQueries({ queryKey: queryKeys.people.list })
      show(cache, open)
      return () => show(cache, !open)
    },
    failed: 'Failed to change registration',
    refresh: [queryKeys.host],
  }).mutate

function show(cache: QueryClient, open: boolean): void {
  cache.setQueryData<People>(
    queryKeys.people.list,
    (list) => list && { ...list, registration_open: open },
  )
}
