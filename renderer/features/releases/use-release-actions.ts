import { IconArchive, IconArrowUp } from '@tabler/icons-react'
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { Release } from '../../../server/contract'
import { useClient } from '../../lib/client/client-context'
import { failureText } from '../../lib/client/failure'
import { queryKeys } from '../../lib/client/query-keys'
import { confirm } from '../../ui/dialog/confirm'
import { notifyError, notifySuccess } from '../../ui/feedback/notify'
import { notifyUndo } from '../../ui/feedback/notify-undo'

export type ReleaseActions = ReturnType<typeof useReleaseActions>

type Change = { kind: 'promote'; to: string; isUndo?: boolean } | { kind: 'withdraw' } | { kind: 'publish' }

const failed = {
  promote: 'The release could not be moved',
  withdraw: 'The release could not be withdrawn',
  publish: 'The release could not be published',
}

/** The actions for one release. Each shows the release as the host has it now, also after a failure. */
export function useReleaseActions(projectId: string, { version, channel }: Release) {
  const client = useClient()
  const cache = useQueryClient()
  const at = { id: projectId, version }
  const changing = useMutation({
    mutationFn: async (change: Change) => {
      if (change.kind === 'promote') return (await client.releases.promote({ ...at, channel: change.to })).release
      return (await client.releases[change.kind](at)).release
    },
    onMutate: ({ kind }) => (kind === 'withdraw' ? showWithdrawn(cache, projectId, version) : undefined),
    onSuccess: (after, change) => {
      showRelease(cache, projectId, after)
      if (change.kind === 'withdraw') {
        notifyUndo(`${version} is withdrawn`, () => changing.mutate({ kind: 'publish' }), { icon: IconArchive })
      } else if (change.kind === 'promote' && !change.isUndo && channel !== after.channel) {
        const back = () => changing.mutate({ kind: 'promote', to: channel, isUndo: true })
        notifyUndo(placeOf(after), back, { icon: IconArrowUp })
      } else notifySuccess(change.kind === 'publish' ? `${version} is published` : placeOf(after))
    },
    onError: (cause, { kind }, rollBack) => {
      rollBack?.()
      notifyError(failureText(cause, { failed: failed[kind] }))
    },
    onSettled: () => refreshReleases(cache),
  })
  const change = (wanted: Change) => {
    if (!changing.isPending) changing.mutate(wanted)
  }
  return {
    change,
    remove: useRemove(projectId, version),
    pending: changing.isPending ? changing.variables.kind : undefined,
  }
}

function useRemove(projectId: string, version: string) {
  const client = useClient()
  const cache = useQueryClient()
  const removing = useMutation({
    mutationFn: () => client.releases.remove({ id: projectId, version }),
    onSuccess: () => notifySuccess(`The release ${version} is deleted`),
    onError: (cause) => notifyError(failureText(cause, { failed: 'The release could not be deleted' })),
    onSettled: () => refreshReleases(cache),
  })

  return async () => {
    const sure = await confirm({
      title: `Delete ${version}`,
      message: 'Its notes are deleted. This cannot be undone.',
      confirmLabel: 'Delete release',
      danger: true,
    })
    if (sure) removing.mutate()
  }
}

/** Says where a release is, also if it was withdrawn at the same time. */
function placeOf({ version, channel, state }: Release): string {
  const hidden = { draft: ', as a draft', withdrawn: ', but it is withdrawn', published: '' }[state]
  return `${version} is in the channel ${channel} now${hidden}`
}

/** All lists with releases, files and numbers of the projects. */
export const refreshReleases = (cache: QueryClient): Promise<void> =>
  cache.invalidateQueries({ queryKey: queryKeys.projects.all })

type List = { releases: Release[] }

function showRelease(cache: QueryClient, projectId: string, after: Release): void {
  edit(cache, projectId, (release) => (release.version === after.version ? after : release))
}

/** Shows a release as withdrawn before the host confirms. Returns the undo. */
async function showWithdrawn(cache: QueryClient, projectId: string, version: string) {
  const queryKey = queryKeys.projects.releases(projectId)
  await cache.cancelQueries({ queryKey })
  const before = cache.getQueriesData<List>({ queryKey })
  edit(cache, projectId, (release) => (release.version === version ? { ...release, state: 'withdrawn' } : release))
  return () => before.forEach(([key, list]) => cache.setQueryData(key, list))
}

function edit(cache: QueryClient, projectId: string, change: (release: Release) => Release): void {
  const queryKey = queryKeys.projects.releases(projectId)
  cache.setQueriesData<List>({ queryKey }, (list) => list && { ...list, releases: list.releases.map(change) })
}
