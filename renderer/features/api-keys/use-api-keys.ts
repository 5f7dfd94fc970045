import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ApiKey } from '../../../server/contract'
import type { Client } from '../../lib/client/api-client'
import { useClient } from '../../lib/client/client-context'
import { failureText } from '../../lib/client/failure'
import { messages } from '../../lib/texts/messages'
import { queryKeys } from '../../lib/client/query-keys'
import { confirm } from '../../ui/dialog/confirm'
import { notifyError, notifySuccess } from '../../ui/feedback/notify'

export function useApiKeys() {
  const client = useClient()
  return useQuery({
    queryKey: queryKeys.apiKeys,
    queryFn: async ({ signal }) => (await client.apiKeys.list({}, signal)).keys,
  })
}

export type NewKey = Parameters<Client['apiKeys']['create']>[0]

export function useCreateApiKey() {
  const client = useClient()
  const cache = useQueryClient()
  return async (wanted: NewKey): Promise<string> => {
    const { api_key } = await client.apiKeys.create(wanted)
    await cache.invalidateQueries({ queryKey: queryKeys.apiKeys })
    return api_key
  }
}

export function useEndApiKey() {
  const client = useClient()
  const cache = useQueryClient()
  const ending = useMutation({
    mutationFn: async ({ key, how }: { key: ApiKey; how: 'revoke' | 'remove' }) => {
      await client.apiKeys[how]({ id: key.key_id })
    },
    onSuccess: (_, { how }) => {
      notifySuccess(how === 'revoke' ? messages.apiKey.revoked : messages.apiKey.deleted)
      return cache.invalidateQueries({ queryKey: queryKeys.apiKeys })
    },
    onError: (cause, { how }) => {
      const failed = how === 'revoke' ? messages.apiKey.revokeFailed : messages.apiKey.deleteFailed
      notifyError(failureText(cause, { failed }))
    },
  })
  const revoke = async (key: ApiKey) => {
    const message = messages.apiKey.confirmRevoke
    const sure = await confirm({ title: `Revoke ${key.name}`, message, confirmLabel: 'Revoke', danger: true })
    if (sure) ending.mutate({ key, how: 'revoke' })
  }
  const remove = async (key: ApiKey) => {
    const message = messages.apiKey.confirmDelete
    const sure = await confirm({ title: `Delete ${key.name}`, message, confirmLabel: 'Delete', danger: true })
    if (sure) ending.mutate({ key, how: 'remove' })
  }
  return { revoke, remove }
}
