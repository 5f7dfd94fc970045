import type { ApiKey } from '../../../server/contract'
import type { Client } from '../../lib/client/api-client'
import { useLoad } from '../../lib/client/use-load'
import { useCall } from '../../lib/client/use-call'
import { queryKeys } from '../../lib/client/query-keys'
import { confirm } from '../../ui/dialog/confirm'

export const useApiKeys = () =>
  useLoad(queryKeys.apiKeys, async (client, signal) => (await client.apiKeys.list({}, signal)).keys)

export type NewKey = Parameters<Client['apiKeys']['create']>[0]

/** A new key, which the host sends only once. */
export interface CreatedKey {
  value: string
  /** The only project of the key; null: all. */
  projectId: string | null
}

/** Creates a key and returns it. */
export function useCreateApiKey() {
  const { mutateAsync } = useCall((client, key: NewKey) => client.apiKeys.create(key), {
    refresh: [queryKeys.apiKeys],
  })
  return async (key: NewKey): Promise<CreatedKey> => {
    const { api_key } = await mutateAsync(key)
    return { value: api_key, projectId: key.project_id ?? null }
  }
}

export function useEndApiKey() {
  const revoking = useCall((client, { key_id: id }: ApiKey) => client.apiKeys.revoke({ id }), {
    ask: ({ name }) =>
      confirm({
        title: `Revoke ${name}`,
        message: 'Are you sure you want to revoke this API key?',
        confirmLabel: 'Revoke',
        danger: true,
      }),
    done: 'API key revoked',
    failed: 'Failed to revoke API key',
    refresh: [queryKeys.apiKeys],
  })

  const removal = useCall((client, { key_id: id }: ApiKey) => client.apiKeys.remove({ id }), {
    ask: ({ name }) =>
      confirm({
        title: `Delete ${name}`,
        message: 'Are you sure you want to delete this API key?',
        confirmLabel: 'Delete',
        danger: true,
      }),
    done: 'API key deleted',
    failed: 'Failed to delete API key',
    refresh: [queryKeys.apiKeys],
  })

  return { revoke: revoking.mutate, remove: removal.mutate }
}
