import { IconArchive, IconArrowUp } from '@tabler/icons-react'
import type { QueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Project, Release } from '../../../server/contract'
import type { Client } from '../../lib/client/api-client'
import { useClient } from '../../lib/client/client-context'
import { askToMakePublic, undoPromotion, type Promoted } from '../../lib/client/private-files'
import { refresh } from '../../lib/client/query-client'
import { queryKeys } from '../../lib/client/query-keys'
import { useCall } from '../../lib/client/use-call'
import { confirm } from '../../ui/dialog/confirm'
import { notifySuccess } from '../../ui/feedback/notify'
import { notifyUndo } from '../../ui/feedback/notify-undo'
import { describeHolders } from './holders'

export interface ReleaseProps {
  project: Project
  release: Release
  /** Of the project. */
  channels: readonly string[]
}

export type ReleaseActions = ReturnType<typeof useReleaseActions>

type Change =
  | { kind: 'promote'; to: string; undoes?: Promoted }
  | { kind: 'withdraw' }
  | { kind: 'publish' }

/** A change, and whether the private files become public with it. */
type WithFiles = Change & { make_public?: boolean }

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
    after: async (cache, reply, change) => {
      const { release } = reply
      showRelease(cache, projectId, release)
      if (change.kind === 'withdraw') {
        const holders = await describeHolders(client, at).catch(() => '')
        const text = [`Withdrew ${version}`, holders].filter(Boolean).join('. ')
        notifyUndo(text, () => changing.mutate({ kind: 'publish' }), {
          icon: IconArchive,
        })
      } else if (change.kind === 'promote' && !change.undoes && channel !== release.channel) {
        const back = () => changing.mutate({ kind: 'promote', to: channel, undoes: reply })
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
    const make_public = await askAbout(client, { ...at, channel }, next).finally(
      () => (isAsking.current = false),
    )
    if (make_public !== undefined) changing.mutate({ ...next, make_public })
  }

  return {
    change: (next: Change) => void askAndChange(next),
    remove: useRemove(at),
    pending: changing.isPending ? changing.variables.kind : undefined,
  }
}

type At = Record<'id' | 'version', string>

/** Asks whether the private files become public. Returns undefined if the person cancelled. */
async function askAbout(
  client: Client,
  { channel, ...at }: At & Pick<Release, 'channel'>,
  change: Change,
) {
  const target = change.kind === 'promote' ? change.to : channel
  if (change.kind === 'withdraw' || target !== 'stable') return false
  const verb = change.kind === 'promote' ? 'Promote' : 'Publish'
  return askToMakePublic(client, { ...at, verb })
}

async function send(client: Client, at: At, change: WithFiles): Promise<Promoted> {
  const { make_public = false } = change
  if (change.kind === 'withdraw')
    return { ...(await client.releases.withdraw(at)), made_public: [] }
  if (change.kind === 'publish') return client.releases.publish({ ...at, make_public })

  const { to: channel, undoes } = change
  return undoes
    ? undoPromotion(client, undoes, { id: at.id, channel })
    : client.releases.promote({ ...at, channel, make_public })
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
