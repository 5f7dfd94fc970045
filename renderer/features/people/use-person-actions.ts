import type { QueryClient } from '@tanstack/react-query'
import type { Person, Tier } from '../../../server/contract'
import { loadPart } from '../../lib/browser/load-part'
import { useCall } from '../../lib/client/use-call'
import { queryKeys } from '../../lib/client/query-keys'
import { useShareUrl } from '../../lib/host/host'
import { choose, confirm } from '../../ui/dialog/confirm'
import type { People } from './use-people'

const loadShown = () => import('./new-password')

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
    after: async (_cache, { person, password }) =>
      (await loadShown()).showNewPassword(person.username, password),
    failed: ({ username }) => `Failed to reset the password of ${username}`,
  })

  const removing = useCall(
    (client, { user_id: id }: Person) => client.people.removeFactors({ id }),
    {
      ask: confirmRemoval,
      after: (cache, { person }) => show(cache, person),
      done: (_reply, { username }) => `${username} signs in with the password alone`,
      failed: ({ username }) => `Failed to remove the second factors of ${username}`,
    },
  )

  const share = useShareUrl()
  const createLink = useCall(
    (client, { user_id: id }: Person) => client.people.createPasswordLink({ id }),
    {
      after: async (_cache, { url }, { username }) => {
        const { pathname, search } = new URL(url)
        ;(await loadShown()).showPasswordLink(username, share(pathname + search))
      },
      failed: ({ username }) => `Failed to create a link for ${username}`,
    },
  )

  return {
    setTier: (person: Person, tier_name: Tier) => update.mutate({ person, change: { tier_name } }),
    setDisabled: (person: Person, disabled: boolean) =>
      update.mutate({ person, change: { disabled } }),
    removeFactors: (person: Person) => removing.mutate(person),
    resetPassword: async (person: Person) => {
      const answer = await chooseReset(person)
      // Before the call: what it returns is shown once.
      await loadPart(loadShown)
      if (answer === 'confirm') createLink.mutate(person)
      if (answer === 'other') reset.mutate(person)
    },
  }
}

const chooseReset = ({ username }: Person) =>
  choose({
    title: `Reset the password of ${username}`,
    message:
      `With a link, ${username} chooses a new password within an hour, and the current one works ` +
      'until then. A new password signs them out everywhere now, and you pass it on. API keys ' +
      'keep working.',
    confirmLabel: 'Create link',
    otherLabel: 'New password now',
  })

const confirmRemoval = ({ username }: Person) =>
  confirm({
    title: `Remove the second factors of ${username}`,
    message:
      `${username} then signs in with the password alone, and is signed out everywhere. Do this ` +
      'only if you are sure who asks.',
    confirmLabel: 'Remove second factors',
    danger: true,
  })

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

/** Removes the link of an account to single sign-on, after a question. */
export function useUnlink(): (person: Person) => void {
  const { mutate } = useCall((client, { user_id: id }: Person) => client.people.unlink({ id }), {
    ask: ({ username }) =>
      confirm({
        title: `Unlink single sign-on of ${username}`,
        message:
          `${username} can no longer sign in with single sign-on, and is signed out everywhere. ` +
          'Without a password, they need Reset password to get in again.',
        confirmLabel: 'Unlink',
        danger: true,
      }),
    done: (_reply, { username }) => `Unlinked single sign-on of ${username}`,
    failed: ({ username }) => `Failed to unlink single sign-on of ${username}`,
    refresh: [queryKeys.people.list],
  })
  return mutate
}
