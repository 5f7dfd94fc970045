import { Paper, Switch } from '@mantine/core'
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useClient } from '../../lib/client/client-context'
import { failureText } from '../../lib/client/failure'
import { hostMessages } from '../../lib/texts/host-messages'
import { queryKeys } from '../../lib/client/query-keys'
import { notifyError } from '../../ui/feedback/notify'
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

function useSetRegistration() {
  const client = useClient()
  const cache = useQueryClient()
  const setting = useMutation({
    mutationFn: (open: boolean) => client.people.setRegistration({ open }),
    onMutate: async (open) => {
      await cache.cancelQueries({ queryKey: queryKeys.people.list })
      show(cache, open)
    },
    onSuccess: () => cache.invalidateQueries({ queryKey: queryKeys.host }),
    onError: (cause, open) => {
      show(cache, !open)
      notifyError(failureText(cause, { failed: hostMessages.person.registrationFailed }))
    },
  })
  return (open: boolean) => setting.mutate(open)
}

function show(cache: QueryClient, open: boolean): void {
  cache.setQueryData<People>(queryKeys.people.list, (list) => list && { ...list, registration_open: open })
}
