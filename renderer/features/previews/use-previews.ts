import type { Preview } from '../../../server/contract'
import { queryKeys } from '../../lib/client/query-keys'
import { useCall } from '../../lib/client/use-call'
import { ASK_EVERY_MS, useLoad } from '../../lib/client/use-load'
import { confirm } from '../../ui/dialog/confirm'

export const usePreviews = (projectId: string) =>
  useLoad(
    queryKeys.projects.previews(projectId),
    async (client, signal) => (await client.previews.list({ id: projectId }, signal)).previews,
    { refetchInterval: ASK_EVERY_MS },
  )

export const useEndPreview = (projectId: string) =>
  useCall((client, { name }: Preview) => client.previews.end({ id: projectId, name }), {
    ask: ({ name }) =>
      confirm({
        title: `End ${name}`,
        message:
          'Its address stops working at once, and its builds move to the trash. ' +
          'The next push gets a new address.',
        confirmLabel: 'End the preview',
        danger: true,
      }),
    done: 'Preview ended',
    failed: 'Failed to end the preview',
    refresh: [queryKeys.projects.previews(projectId), queryKeys.trash, queryKeys.storage],
  }).mutate
