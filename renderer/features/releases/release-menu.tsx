import { Menu } from '@mantine/core'
import { IconArrowUp, IconLink, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { Link } from 'react-router-dom'
import type { Project, Release } from '../../../server/contract'
import { lazyPage } from '../../lib/browser/lazy-page'
import { useCopyLink } from '../../lib/links/use-copy-link'
import { paths } from '../../paths'
import { rememberControl } from '../../ui/dialog/return-focus'
import type { MenuStart } from '../../ui/table/late-menu'
import type { ReleaseActions, ReleaseProps } from './use-release-actions'

const EditRelease = lazyPage(() => import('./edit-release'), 'EditRelease')
const RollOutRelease = lazyPage(() => import('./roll-out-release'), 'RollOutRelease')
const MoveRelease = lazyPage(() => import('./move-release'), 'MoveRelease')

type Dialog = 'edit' | 'move' | 'roll out'

/** Channels in the menu; people can type others. */
const OFFERED = 6

interface ReleaseMenuProps extends ReleaseProps, MenuStart {
  actions: ReleaseActions
}

/** Menu of further actions on a release. */
export function ReleaseMenu(props: ReleaseMenuProps) {
  const { project, release, channels, actions, button, defaultOpened } = props
  const { version, channel, state, total_files } = release
  const [dialog, setDialog] = useState<Dialog>()
  const { copyLink, open, close } = useMore(project, release, setDialog)

  const hasButton = state === 'published' ? 'stable' : undefined
  const allChannels = [...new Set(['stable', 'beta', 'nightly', ...channels])]
  const others = allChannels.filter((name) => name !== channel && name !== hasButton)

  return (
    <>
      <Menu position="bottom-end" defaultOpened={defaultOpened}>
        <Menu.Target>{button}</Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => open('edit')}>
            Edit
          </Menu.Item>
          <Menu.Item
            component={Link}
            to={paths.addToRelease(project.project_id, version)}
            leftSection={<IconPlus size={16} />}
          >
            Add files
          </Menu.Item>
          <Menu.Item leftSection={<IconLink size={16} />} onClick={() => void copyLink()}>
            Copy link
          </Menu.Item>
          <Menu.Item leftSection={<IconArrowUp size={16} />} onClick={() => open('roll out')}>
            Staged rollout
          </Menu.Item>
          <Menu.Label>Channel</Menu.Label>
          {others.slice(0, OFFERED).map((name) => (
            <Menu.Item
              key={name}
              leftSection={<IconArrowUp size={16} />}
              onClick={() => actions.change({ kind: 'promote', to: name })}
            >
              Move to {name}
            </Menu.Item>
          ))}
          <Menu.Item leftSection={<IconArrowUp size={16} />} onClick={() => open('move')}>
            Move to another channel
          </Menu.Item>
          {total_files === 0 && release.can.includes('delete') && (
            <Menu.Item
              c="var(--mantine-color-error)"
              leftSection={<IconTrash size={16} />}
              onClick={() => actions.remove()}
            >
              Delete
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Suspense>
        {dialog === 'edit' && (
          <EditRelease project={project} release={release} channels={channels} onClose={close} />
        )}
        {dialog === 'roll out' && (
          <RollOutRelease project={project} release={release} onClose={close} />
        )}
        {dialog === 'move' && (
          <MoveRelease
            release={release}
            onMove={(to) => actions.change({ kind: 'promote', to })}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  )
}

function useMore(
  { slug }: Project,
  { version }: Release,
  setDialog: (dialog: Dialog | undefined) => void,
) {
  const copy = useCopyLink()
  const [returnFocus, setReturn] = useState<() => void>()

  const copyLink = () => copy(paths.publicRelease(slug, version))
  const open = (dialog: Dialog) => {
    const remembered = rememberControl()
    setReturn(() => remembered)
    setDialog(dialog)
  }

  const close = () => {
    setDialog(undefined)
    returnFocus?.()
  }

  return { copyLink, open, close }
}
