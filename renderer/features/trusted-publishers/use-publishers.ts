import type { TrustedPublisher } from '../../../server/contract'
import type { Client } from '../../lib/client/api-client'
import { queryKeys } from '../../lib/client/query-keys'
import { useCall } from '../../lib/client/use-call'
import { useLoad } from '../../lib/client/use-load'
import { confirm } from '../../ui/dialog/confirm'

type Fields = Omit<Parameters<Client['trustedPublishers']['add']>[0], 'id'>

export const usePublishers = (projectId: string) =>
  useLoad(queryKeys.projects.publishers(projectId), (client, signal) =>
    client.trustedPublishers.list({ id: projectId }, signal),
  )

export const useAddPublisher = (projectId: string) =>
  useCall((client, fields: Fields) => client.trustedPublishers.add({ id: projectId, ...fields }), {
    done: ({ publisher }) => `Jobs of ${publisher.repository} can upload now`,
    refresh: [queryKeys.projects.publishers(projectId)],
  }).mutateAsync

export const useRemovePublisher = (projectId: string) =>
  useCall(
    (client, { publisher_id: publisherId }: TrustedPublisher) =>
      client.trustedPublishers.remove({ id: projectId, publisherId }),
    {
      ask: ({ repository }) =>
        confirm({
          title: `Remove ${repository}`,
          message: 'Its jobs can upload no longer, and keys that they have end at once.',
          confirmLabel: 'Remove',
          danger: true,
        }),
      done: 'Trusted publisher removed',
      failed: 'Failed to remove trusted publisher',
      refresh: [queryKeys.projects.publishers(projectId)],
    },
  ).mutate
