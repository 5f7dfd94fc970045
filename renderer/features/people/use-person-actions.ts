import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { Person, Tier } from '../../../server/contract'
import { useClient } from '../../lib/client/client-context'
import { failureText } from '../../lib/client/failure'
import { hostMessages } from '../../lib/texts/host-messages'
import { queryKeys } from '../../lib/client/query-keys'
import { confirm } from '../../ui/dialog/confirm'
import { notifyError, notifySuccess } from '../../ui/feedback/notify'
import { showNewPassword } from './new-password'
import type { People } from './use-people'

type Change = Partial<Pick<Person, 'tier_name' | 'disabled'>>

/** Actions of the host on an account: optimistic, reverted if the host refuses. */
export function usePersonActions() {
  const client = useClient()
  const cache = useQueryClient()

  const update = useMutation({
    mutationFn: ({ person, change }: { person: Person; change: Change }) =>
      client.people.update({ id: person.user_id, ...change }),
    onMutate: async ({ person, change }) => {
      await cache.cancelQueries({ queryKey: queryKeys.people.list })
      show(cache, { ...person, ...change })
    },
    onSuccess: ({ person }, { change }) => {
      show(cache, person)
      void cache.invalidateQueries({ queryKey: queryKeys.storage })
      if (change.disabled !== undefined) {
        notifySuccess(hostMessages.person[change.disabled ? 'disabled' : 'enabled'](person.username))
      }
    },
    onError: (cause, { person, change }) => {
      show(cache, person)
      notifyError(failureText(cause, { failed: failedText(person, change) }))
    },
  })
  const reset = useMutation({
    mutationFn: (person: Person) => client.people.resetPassword({ id: person.user_id }),
    onSuccess: ({ person, password }) => showNewPassword(person.username, password),
    onError: (cause, { username }) =>
      notifyError(failureText(cause, { failed: hostMessages.person.resetFailed(username) })),
  })

  const setTier = (person: Person, tier: Tier) => update.mutate({ person, change: { tier_name: tier } })
  const setDisabled = async (person: Person, disabled: boolean) => {
    if (disabled && !(await confirmDisable(person))) return
    update.mutate({ person, change: { disabled } })
  }
  const resetPassword = async (person: Person) => {
    if (await confirmReset(person)) reset.mutate(person)
  }
  return { setTier, setDisabled, resetPassword }
}

const confirmDisable = ({ username }: Person) =>
  confirm({
    title: `Disable ${username}`,
    message: hostMessages.person.confirmDisable(username),
    confirmLabel: 'Disable account',
    danger: true,
  })

const confirmReset = ({ username }: Person) =>
  confirm({
    title: `Reset the password of ${username}`,
    message: hostMessages.person.confirmReset(username),
    confirmLabel: 'Reset password',
    danger: true,
  })

function failedText({ username }: Person, { disabled }: Change): string {
  if (disabled === undefined) return hostMessages.person.tierFailed(username)
  return hostMessages.person[disabled ? 'disableFailed' : 'enableFailed'](username)
}

function show(cache: QueryClient, person: Person): void {
  cache.setQueryData<People>(
    queryKeys.people.list,
    (list) => list && { ...list, people: list.people.map((one) => (one.user_id === person.user_id ? person : one)) },
  )
}
