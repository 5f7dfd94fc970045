import type { SearchResults } from '../../../server/contract'
import { useClient } from '../../lib/client/client-context'
import { askToMakePublic, undoPromotion, type Promoted } from '../../lib/client/private-files'
import { queryKeys } from '../../lib/client/query-keys'
import { useCall } from '../../lib/client/use-call'
import { useCopyLink } from '../../lib/links/use-copy-link'
import { paths } from '../../paths'
import { notifyUndo } from '../../ui/feedback/notify-undo'
import { canChooseFolder, chooseFiles, chooseFolder } from '../uploads/drop/drop-place'

export interface Command {
  id: string
  kind: 'action'
  label: string
  detail?: string
  run: () => unknown
  /** It needs the palette, which closes before others. */
  isInPalette?: true
}

interface Opening {
  newProject: () => void
  keys: () => void
  logOut: () => void
}

const command = (label: string, run: () => unknown, detail?: string): Command => ({
  id: `action ${label}`,
  kind: 'action',
  label,
  run,
  ...(detail === undefined ? {} : { detail }),
})

/** Commands of the palette: permanent ones, and those for search results. */
export function useCommands({ newProject, keys, logOut }: Opening) {
  const copyLink = useCopyLink()
  const promote = usePromotion()

  const always: Command[] = [
    command('Upload files', chooseFiles, 'u'),
    ...(canChooseFolder() ? [command('Upload a folder', chooseFolder)] : []),
    { ...command('New project', newProject), isInPalette: true },
    command('Keyboard shortcuts', keys, '?'),
    command('Log out', logOut),
  ]

  const about = ({ projects, releases }: SearchResults): Command[] => [
    ...projects
      .filter(({ is_public }) => is_public)
      .map(({ slug, title }) =>
        command(`Copy latest link of ${title}`, () => copyLink(paths.latest(slug, 'stable'))),
      ),
    ...releases
      .filter(
        ({ channel, state, can }) =>
          channel !== 'stable' && state === 'published' && can.includes('update'),
      )
      .map(({ project_id: id, version, channel, title }) =>
        command(
          `Promote ${version}`,
          () => promote({ id, version, from: channel }),
          `${title} · to stable`,
        ),
      ),
  ]

  return { always, about }
}

interface Promotion {
  id: string
  version: string
  /** The channel before. */
  from: string
}

function usePromotion(): (promotion: Promotion) => Promise<void> {
  const client = useClient()
  const failed = 'The release could not be moved'
  const refresh = [queryKeys.projects.all]

  const undoing = useCall(
    (api, { id, from, ...promoted }: Promotion & Promoted) =>
      undoPromotion(api, promoted, { id, channel: from }),
    { done: ({ release }) => `Promoted ${release.version} to ${release.channel}`, failed, refresh },
  )

  const promoting = useCall(
    (api, { id, version, make_public }: Promotion & { make_public: boolean }) =>
      api.releases.promote({ id, version, make_public }),
    {
      after: (_cache, reply, promotion) =>
        notifyUndo(`Promoted ${promotion.version} to stable`, () =>
          undoing.mutate({ ...promotion, ...reply }),
        ),
      failed,
      refresh,
    },
  )

  return async (promotion) => {
    const make_public = await askToMakePublic(client, { ...promotion, verb: 'Promote' })
    if (make_public !== undefined) promoting.mutate({ ...promotion, make_public })
  }
}
