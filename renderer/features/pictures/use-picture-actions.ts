import type { Picture, PictureKind, Project } from '../../../server/contract'
import { queryKeys } from '../../lib/client/query-keys'
import { useCall } from '../../lib/client/use-call'
import { formatQuantity } from '../../lib/texts/format'
import { notifyUndo } from '../../ui/feedback/notify-undo'

const STALE = [queryKeys.projects.all, queryKeys.storage, queryKeys.trash]

/** Name of the kind of picture in sentences. */
export const nameOfKind: Record<PictureKind, string> = {
  icon: 'Icon',
  cover: 'Cover',
  screenshot: 'Screenshot',
}

interface Removal {
  kind: PictureKind
  picture: Picture
}

/** Actions on the pictures of a project. */
export function usePictureActions(id: string) {
  const restoring = useCall((client, trashId: string) => client.trash.restore({ id: trashId }), {
    failed: 'Failed to restore the picture',
    refresh: STALE,
  })

  const removing = useCall(
    (client, { picture }: Removal) => client.pictures.remove({ id, pictureId: picture.picture_id }),
    {
      after: (_cache, { trash_id }, { kind }) =>
        notifyUndo(`${nameOfKind[kind]} removed`, () => restoring.mutate(trash_id)),
      failed: 'Failed to remove the picture',
      refresh: STALE,
    },
  )

  const clearing = useCall(
    async (client, screenshots: readonly Picture[]) => {
      const removed: string[] = []
      for (const { picture_id } of screenshots)
        removed.push((await client.pictures.remove({ id, pictureId: picture_id })).trash_id)
      return removed
    },
    {
      after: (_cache, removed) =>
        notifyUndo(`${formatQuantity(removed.length, 'screenshot')} removed`, () => {
          for (const trashId of removed) restoring.mutate(trashId)
        }),
      failed: 'Failed to remove the screenshots',
      refresh: STALE,
    },
  )

  const ordering = useCall(
    (client, screenshots: readonly Picture[]) =>
      client.pictures.order({ id, screenshots: screenshots.map(({ picture_id }) => picture_id) }),
    {
      show: async (cache, screenshots) => {
        const key = queryKeys.projects.one(id)
        await cache.cancelQueries({ queryKey: key })
        const before = cache.getQueryData<Project>(key)
        if (before)
          cache.setQueryData(key, { ...before, pictures: { ...before.pictures, screenshots } })
        return () => void cache.setQueryData(key, before)
      },
      failed: 'Failed to change the order',
      refresh: [queryKeys.projects.all],
    },
  )

  return {
    restore: restoring.mutate,
    remove: removing.mutate,
    order: ordering.mutate,
    clear: clearing.mutate,
    isClearing: clearing.isPending,
  }
}
