import type { QueryClient } from '@tanstack/react-query'
import type { Person, Tier } from '../../../server/contract'
import { useCall } from '../../lib/client/use-call'
import { queryKeys } from '../../lib/client/query-keys'
import { confirm } from '../../ui/dialog/confirm'
import { showNewPassword } from './new-password'
import type { People } from './use-people'

type Change = Partial<Pick<Person, 'tier_name' | 'disabled'>>

interface PersonChange {
  person: Person
  change: Change
}

/** Actions of the host on an account: optimistic, reverted if the host refuses. */
export function usePersonActions() {
  const update = useCall(
    (client, { person, change }: PersonChange) =>
      client.people.update({ id: person.user_id, ...change }),
    {
      ask: ({ person, change }) => !change.disabled || confirmDisable(person),
      show: async (cache, { person, change }) => {
        await cache.cancelQueries({ queryKey: queryKeys.people.list })
        show(cache, { ...person, ...change })
        return () => show(cache, person)
      },
      done: ({ person: { username } }, { change: { disabled } }) =>
        disabled === undefined
          ? undefined
          : `${username} ${disabled ? 'is disabled' : 'can sign in again'}`,
      failed: ({ person, change }) => failedText(person, change),
      refresh: [queryKeys.storage],
    },
  )

  const reset = useCall((client, { user_id: id }: Person) => client.people.resetPassword({ id }), {
    ask: ({ username }) =>
      confirm({
        title: `Reset the password of ${username}`,
        message:
          `${username} is signed out everywhere, and the password they have now stops ` +
          'working. You get a new one to hand over; it is shown only once. API keys keep ' +
          'working.',
        confirmLabel: 'Reset password',
        danger: true,
      }),
    after: (_cache, { person, password }) => showNewPassword(person.username, password),
    failed: ({ username }) => `Failed to reset the password of ${username}`,
  })

  return {
    setTier: (person: Person, tier_name: Tier) => update.mutate({ person, change: { tier_name } }),
    setDisabled: (person: Person, disabled: boolean) =>
      update.mutate({ person, change: { disabled } }),
    resetPassword: reset.mutate,
  }
}

const confirmDisable = ({ username }: Person) =>
  confirm({
    title: `Disable ${username}`,
    message:
      `${username} is signed out everywhere, and neither their password nor their API keys ` +
      'work until you enable the account again. Their files, projects and public pages stay.',
    confirmLabel: 'Disable account',
    danger: true,
  })

function failedText({ username }: Person, { disabled }: Change): string {
  if (disabled === undefined) return `Failed to change the tier of ${username}`
  return `Failed to ${disabled ? 'disable' : 'enable'} ${username}`
}

function show(cache: QueryClient, person: Person): void {
  cache.setQueryData<People>(
    queryKeys.people.list,
    (list) =>
      list && {
        ...list,
        people: list.people.map((one) => (one.user_id === person.user_id ? person : one)),
      },
  )
}
