import { keepPreviousData } from '@tanstack/react-query'
import type { TesterLink } from '../../../server/contract'
import type { Client } from '../../lib/client/api-client'
import { ASK_EVERY_MS, useLoad } from '../../lib/client/use-load'
import { queryKeys } from '../../lib/client/query-keys'
import { useCall } from '../../lib/client/use-call'
import { confirm } from '../../ui/dialog/confirm'

/** The tester links of a project. `below`: only those that have a version below this one. */
export const useTesters = (projectId: string, below: string | undefined) =>
  useLoad(
    [...queryKeys.projects.testers(projectId), { below }],
    (client, signal) => client.testers.list({ id: projectId, below }, signal),
    { refetchInterval: ASK_EVERY_MS, placeholderData: keepPreviousData },
  )

type Fields = Omit<Parameters<Client['testers']['create']>[0], 'id'>
type Change = Omit<Parameters<Client['testers']['update']>[0], 'id'>

export function useSaveTester(projectId: string) {
  const refresh = [queryKeys.projects.testers(projectId)]
  const creating = useCall(
    (client, fields: Fields) => client.testers.create({ id: projectId, ...fields }),
    { refresh },
  )

  const changing = useCall(
    (client, change: Change) => client.testers.update({ id: projectId, ...change }),
    { done: 'Tester link changed', refresh },
  )

  return {
    /** Returns the path of the link, which the host sends only once. */
    create: async (fields: Fields) => new URL((await creating.mutateAsync(fields)).url).pathname,
    change: (testerId: string, change: Omit<Change, 'testerId'>) =>
      changing.mutateAsync({ testerId, ...change }),
  }
}

export const useRevokeTester = (projectId: string) =>
  useCall(
    (client, { tester_id: testerId }: TesterLink) =>
      client.testers.revoke({ id: projectId, testerId }),
    {
      ask: ({ name }) =>
        confirm({
          title: `Revoke ${name}`,
          message: 'The link stops working at once, and downloads through it end.',
          confirmLabel: 'Revoke',
          danger: true,
        }),
      done: 'Tester link revoked',
      failed: 'Failed to revoke tester link',
      refresh: [queryKeys.projects.testers(projectId)],
    },
  ).mutate
