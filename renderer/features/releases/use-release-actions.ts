import { IconArchive, IconArrowUp } from '@tabler/icons-react'
import type { QueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { LinkedFile, Project, Release } from '../../../server/contract'
import type { Client } from '../../lib/client/api-client'
import { useClient } from '../../lib/client/client-context'
import { askAboutPrivateFiles, setVisibility } from '../../lib/client/private-files'
import { refresh } from '../../lib/client/query-client'
import { queryKeys } from '../../lib/client/query-keys'
import { useCall } from '../../lib/client/use-call'
import { confirm } from '../../ui/dialog/confirm'
import { notifySuccess } from '../../ui/feedback/notify'
import { notifyUndo } from '../../ui/feedback/notify-undo'

export interface ReleaseProps {
  project: Project
  release: Release
  /** Of the project. */
  channels: readonly string[]
}

export type ReleaseActions = ReturnType<typeof useReleaseActions>

type Change =
  | { kind: 'promote'; to: string; isUndo?: true }
  | { kind: 'withdraw' }
  | { kind: 'publish' }

/** A change with the files whose visibility follows it. */
type WithFiles = Change & { files?: readonly LinkedFile[] }

const failed = {
  promote: 'The release could not be moved',
  withdraw: 'The release could not be withdrawn',
  publish: 'The release could not be published',
}

/**
 * The actions for one release. Each shows the release as the host has it now, also after a failure.
 */
export function useReleaseActions(projectId: string, { version, channel }: Release) {
  const at = { id: projectId, version }

  const client = useClient()
  const isAsking = useRef(false)
  const changing = useCall((api, change: WithFiles) => send(api, at, change), {
    show: (cache, { kind }) =>
      kind === 'withdraw' ? showWithdrawn(cache, projectId, version) : undefined,
    after: (cache, release, change) => {
      showRelease(cache, projectId, release)
      if (change.kind === 'withdraw') {
        notifyUndo(`Withdrew ${version}`, () => changing.mutate({ kind: 'publish' }), {
          icon: IconArchive,
        })
      } else if (change.kind === 'promote' && !change.isUndo && channel !== release.channel) {
        const back = () => changing.mutate({ ...change, to: channel, isUndo: true })
        notifyUndo(describePlace(release), back, { icon: IconArrowUp })
      } else
        notifySuccess(change.kind === 'publish' ? `Published ${version}` : describePlace(release))
    },
    failed: ({ kind }) => failed[kind],
    refresh: [queryKeys.projects.all],
  })

  const askAndChange = async (next: Change) => {
    if (changing.isPending || isAsking.current) return
    isAsking.current = true
    const files = await findFiles(client, { ...at, channel }, next).finally(
      () => (isAsking.current = false),
    )
    if (files) changing.mutate({ ...next, files })
  }

  return {
    change: (next: Change) => void askAndChange(next),
    remove: useRemove(at),
    pending: changing.isPending ? changing.variables.kind : undefined,
  }
}

type At = Record<'id' | 'version', string>

/** The files that become public with a change, or undefined if the person cancelled. */
async function findFiles(
  client: Client,
  { channel, ...at }: At & Pick<Release, 'channel'>,
  change: Change,
) {
  const target = change.kind === 'promote' ? change.to : channel
  if (change.kind === 'withdraw' || target !== 'stable') return []
  const verb = change.kind === 'promote' ? 'Promote' : 'Publish'
  return askAboutPrivateFiles(client, { ...at, verb })
}

async function send(client: Client, at: At, change: WithFiles): Promise<Release> {
  const { release } = await (change.kind === 'promote'
    ? client.releases.promote({ ...at, channel: change.to })
    : client.releases[change.kind](at))
  const isUndo = change.kind === 'promote' && change.isUndo === true
  await setVisibility(client, change.files ?? [], !isUndo)
  return release
}

const useRemove = (at: { id: string; version: string }) =>
  useCall((client) => client.releases.remove(at), {
    ask: () =>
      confirm({
        title: `Delete ${at.version}`,
        message: 'Its notes are deleted. This cannot be undone.',
        confirmLabel: 'Delete release',
        danger: true,
      }),
    done: `Deleted release ${at.version}`,
    failed: 'The release could not be deleted',
    refresh: [queryKeys.projects.all],
  }).mutate

/** Says where a release is, also if it was withdrawn at the same time. */
function describePlace({ version, channel, state }: Release): string {
  const hidden = { draft: ' (still a draft)', withdrawn: ' (still withdrawn)', published: '' }[
    state
  ]
  return `Promoted ${version} to ${channel}${hidden}`
}

/** All lists with releases, files and numbers of the projects. */
export const refreshReleases = (cache: QueryClient): Promise<void> =>
  refresh(cache, queryKeys.projects.all)

type List = { releases: Release[] }

function showRelease(cache: QueryClient, projectId: string, after: Release): void {
  edit(cache, projectId, (release) => (release.version === after.version ? after : release))
}

/** Shows a release as withdrawn before the host confirms. Returns the undo. */
async function showWithdrawn(cache: QueryClient, projectId: string, version: string) {
  const queryKey = queryKeys.projects.releases(projectId)
  await cache.cancelQueries({ queryKey })
  const before = cache.getQueriesData<List>({ queryKey })
  edit(cache, projectId, (release) =>
    release.version === version ? { ...release, state: 'withdrawn' } : release,
  )
  return () => before.forEach(([key, list]) => cache.setQueryData(key, list))
}

function edit(cache: QueryClient, projectId: string, change: (release: Release) => Release): void {
  const queryKey = queryKeys.projects.releases(projectId)
  cache.setQueriesData<List>(
    { queryKey },
    (list) => list && { ...list, releases: list.releases.map(change) },
  )
}
