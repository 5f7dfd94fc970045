import { Button, Group } from '@mantine/core'
import { lazyPage } from '../../lib/browser/lazy-page'
import { LateMenu, MenuButton } from '../../ui/table/late-menu'
import { useReleaseActions, type ReleaseProps } from './use-release-actions'

const ReleaseMenu = lazyPage(() => import('./release-menu'), 'ReleaseMenu')

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
      <LateMenu button={<MenuButton label={`Actions for ${version}`} size="lg" />}>
        {(start) => (
          <ReleaseMenu project={project} release={release} channels={channels} actions={actions} {...start} />
        )}
      </LateMenu>
    </Group>
  )
}
