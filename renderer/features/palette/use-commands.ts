import type { LinkedFile, SearchResults } from '../../../server/contract'
import { useClient } from '../../lib/client/client-context'
import { askAboutPrivateFiles, setVisibility } from '../../lib/client/private-files'
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
          () => promote({ id, version, from: channel, to: 'stable' }),
          `${title} · to stable`,
        ),
      ),
  ]

  return { always, about }
}

interface Promotion {
  id: string
  version: string
  from: string
  to: string
  files: readonly LinkedFile[]
  isUndo?: true
}

function usePromotion(): (promotion: Omit<Promotion, 'files'>) => Promise<void> {
  const client = useClient()

  const moving = useCall(
    async (api, { id, version, to, files, isUndo }: Promotion) => {
      await api.releases.promote({ id, version, channel: to })
      await setVisibility(api, files, !isUndo)
    },
    {
      after: (_cache, _reply, { from, to, ...release }) =>
        notifyUndo(`Promoted ${release.version} to ${to}`, () =>
          moving.mutate({ ...release, from: to, to: from, isUndo: true }),
        ),
      failed: 'The release could not be moved',
      refresh: [queryKeys.projects.all],
    },
  )

  return async (promotion) => {
    const files = await askAboutPrivateFiles(client, { ...promotion, verb: 'Promote' })
    if (files) moving.mutate({ ...promotion, files })
  }
}
