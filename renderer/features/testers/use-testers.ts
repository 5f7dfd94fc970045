import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { TesterLink } from '../../../server/contract'
import type { Client } from '../../lib/client/api-client'
import { useClient } from '../../lib/client/client-context'
import { failureText } from '../../lib/client/failure'
import { queryKeys } from '../../lib/client/query-keys'
import { messages } from '../../lib/texts/messages'
import { confirm } from '../../ui/dialog/confirm'
import { notifyError, notifySuccess } from '../../ui/feedback/notify'

/** Counts change while the page is open. */
const ASK_EVERY_MS = 5000

export function useTesters(projectId: string) {
  const client = useClient()
  return useQuery({
    queryKey: queryKeys.projects.testers(projectId),
    queryFn: async ({ signal }) => (await client.testers.list({ id: projectId }, signal)).testers,
    refetchInterval: ASK_EVERY_MS,
  })
}

type Fields = Omit<Parameters<Client['testers']['create']>[0], 'id'>
type Change = Omit<Parameters<Client['testers']['update']>[0], 'id' | 'testerId'>

export function useSaveTester(projectId: string) {
  const client = useClient()
  const cache = useQueryClient()
  const refresh = () => cache.invalidateQueries({ queryKey: queryKeys.projects.testers(projectId) })
  return {
    /** Returns the path of the link, which the host sends only once. */
    create: async (fields: Fields): Promise<string> => {
      const { url } = await client.testers.create({ id: projectId, ...fields })
      await refresh()
      return new URL(url).pathname
    },
    change: async (testerId: string, change: Change): Promise<void> => {
      await client.testers.update({ id: projectId, testerId, ...change })
      await refresh()
      notifySuccess(messages.tester.changed)
    },
  }
}

export function useRevokeTester(projectId: string) {
  const client = useClient()
  const cache = useQueryClient()
  const revocation = useMutation({
    mutationFn: (testerId: string) => client.testers.revoke({ id: projectId, testerId }),
    onSuccess: () => notifySuccess(messages.tester.revoked),
    onError: (cause) => notifyError(failureText(cause, { failed: messages.tester.revokeFailed })),
    // A missing link was revoked elsewhere, so the list is stale either way.
    onSettled: () => cache.invalidateQueries({ queryKey: queryKeys.projects.testers(projectId) }),
  })
  return async ({ tester_id, name }: TesterLink) => {
    const message = messages.tester.confirmRevoke
    const sure = await confirm({ title: `Revoke ${name}`, message, confirmLabel: 'Revoke', danger: true })
    if (sure) revocation.mutate(tester_id)
  }
}
