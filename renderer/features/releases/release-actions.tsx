import { ActionIcon, Button, Group, Menu } from '@mantine/core'
import { IconArrowUp, IconDots, IconLink, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { Link } from 'react-router-dom'
import type { Project, Release } from '../../../server/contract'
import { lazyPage } from '../../lib/browser/lazy-page'
import { useCopyLink } from '../../lib/links/use-copy-link'
import { paths } from '../../paths'
import { rememberControl } from '../../ui/dialog/return-focus'
import { useReleaseActions, type ReleaseActions as Actions } from './use-release-actions'

const EditRelease = lazyPage(() => import('./edit-release'), 'EditRelease')
const MoveRelease = lazyPage(() => import('./move-release'), 'MoveRelease')

export interface ReleaseProps {
  project: Project
  release: Release
  /** Of the project. */
  channels: readonly string[]
}

/** The next step as a button, withdrawing beside it, and the rest in a menu. */
export function ReleaseActions({ project, release, channels }: ReleaseProps) {
  const { version, channel, state } = release
  const actions = useReleaseActions(project.project_id, release)
  const { change, pending } = actions
  const button = (kind: typeof pending, text: string) => ({
    size: 'xs' as const,
    loading: pending === kind,
    'aria-label': `${text}: ${version}`,
    children: text,
  })
  return (
    <Group gap={6} wrap="nowrap">
      {state === 'draft' && <Button {...button('publish', 'Publish')} onClick={() => change({ kind: 'publish' })} />}
      {state === 'withdrawn' && (
        <Button {...button('publish', 'Publish again')} variant="default" onClick={() => change({ kind: 'publish' })} />
      )}
      {state === 'published' && channel !== 'stable' && (
        <Button {...button('promote', 'Promote to stable')} onClick={() => change({ kind: 'promote', to: 'stable' })} />
      )}
      {state === 'published' && (
        <Button {...button('withdraw', 'Withdraw')} variant="default" onClick={() => change({ kind: 'withdraw' })} />
      )}
      <MoreActions project={project} release={release} channels={channels} actions={actions} />
    </Group>
  )
}

/** Channels in the menu; the others can be typed. */
const OFFERED = 6

function MoreActions({ project, release, channels, actions }: ReleaseProps & { actions: Actions }) {
  const { version, channel, state, total_files } = release
  const [dialog, setDialog] = useState<'edit' | 'move'>()
  const { copyLink, open, close } = useMore(project, release, setDialog)
  const hasButton = state === 'published' ? 'stable' : undefined
  const allChannels = [...new Set(['stable', 'beta', 'nightly', ...channels])]
  const others = allChannels.filter((name) => name !== channel && name !== hasButton)
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Actions for ${version}`}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
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
          {total_files === 0 && (
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
        {dialog === 'edit' && <EditRelease project={project} release={release} channels={channels} onClose={close} />}
        {dialog === 'move' && (
          <MoveRelease release={release} onMove={(to) => actions.change({ kind: 'promote', to })} onClose={close} />
        )}
      </Suspense>
    </>
  )
}

function useMore({ slug }: Project, { version }: Release, setDialog: (dialog: 'edit' | 'move' | undefined) => void) {
  const copy = useCopyLink()
  const [returnFocus, setReturn] = useState<() => void>()
  const copyLink = () => copy(paths.publicRelease(slug, version))
  const open = (dialog: 'edit' | 'move') => {
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
