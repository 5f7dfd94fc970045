import { useNavigate } from 'react-router-dom'
import type { SearchResults } from '../../../server/contract'
import { copyText } from '../../lib/browser/clipboard'
import { queryKeys } from '../../lib/client/query-keys'
import { useCall } from '../../lib/client/use-call'
import { useShareUrl } from '../../lib/host/host'
import { paths } from '../../paths'
import { notifyError, notifySuccess } from '../../ui/feedback/notify'
import { notifyUndo } from '../../ui/feedback/notify-undo'
import { openUpload } from './open-upload'

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

/** What the palette can do: always, and with the results of a search. */
export function useCommands({ newProject, keys, logOut }: Opening) {
  const navigate = useNavigate()
  const copyLatest = useCopyLatest()
  const promote = usePromotion()
  const always: Command[] = [
    command('Upload files', () => openUpload((path) => void navigate(path)), 'u'),
    { ...command('New project', newProject), isInPalette: true },
    command('Keyboard shortcuts', keys, '?'),
    command('Log out', logOut),
  ]
  const about = ({ projects, releases }: SearchResults): Command[] => [
    ...projects
      .filter(({ is_public }) => is_public)
      .map(({ slug, title }) => command(`Copy latest link of ${title}`, () => copyLatest(slug))),
    ...releases
      .filter(({ channel, state, can }) => channel !== 'stable' && state === 'published' && can.includes('update'))
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

function useCopyLatest(): (slug: string) => Promise<void> {
  const share = useShareUrl()
  return async (slug) => {
    const address = share(paths.latest(slug, 'stable'))
    if (await copyText(address)) notifySuccess(`Copied ${address}`)
    else notifyError(`This browser did not allow copying. The address is ${address}`)
  }
}

interface Promotion {
  id: string
  version: string
  from: string
  to: string
}

function usePromotion(): (promotion: Promotion) => void {
  const moving = useCall(
    (client, { id, version, to }: Promotion) => client.releases.promote({ id, version, channel: to }),
    {
      after: (_cache, _reply, { from, to, ...release }) =>
        notifyUndo(`Promoted ${release.version} to ${to}`, () => moving.mutate({ ...release, from: to, to: from })),
      failed: 'The release could not be moved',
      refresh: [queryKeys.projects.all],
    },
  )
  return moving.mutate
}
