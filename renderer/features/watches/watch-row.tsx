import { Group, List, Stack, Text } from '@mantine/core'
import {
  IconAlertTriangle,
  IconCheck,
  IconEqual,
  IconFolderOff,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
} from '@tabler/icons-react'
import type { Watch, WatchedFile } from '../../../server/contract'
import { RowAction } from '../../ui/table/row-action'
import { Time } from '../../ui/text/time'
import { WarningList } from '../../ui/feedback/warning-list'
import { useWatchActions } from './use-watches'

interface WatchRowProps {
  projectId: string
  watch: Watch
  onEdit: () => void
}

export function WatchRow({ projectId, watch, onEdit }: WatchRowProps) {
  const { folder, state, recent } = watch
  const { change, remove } = useWatchActions(projectId)

  const isPaused = state === 'paused'
  const hasFailed = recent.some(({ outcome }) => outcome === 'failed')

  return (
    <Stack gap="xs" role="group" aria-label={folder}>
      <Group justify="space-between" gap="xs" align="flex-start">
        <Stack gap={2} flex="1 1 16rem">
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {folder}
          </Text>
          <StateText watch={watch} />
        </Stack>
        <Group gap={4} wrap="nowrap">
          {hasFailed && (
            <RowAction
              icon={IconRefresh}
              verb="Try again"
              what={folder}
              onClick={() => change(watch, {})}
            />
          )}
          <RowAction
            icon={isPaused ? IconPlayerPlay : IconPlayerPause}
            verb={isPaused ? 'Resume' : 'Pause'}
            what={folder}
            onClick={() => change(watch, { paused: !isPaused })}
          />
          <RowAction icon={IconPencil} verb="Change" what={folder} onClick={onEdit} />
          <RowAction
            icon={IconFolderOff}
            verb="Stop watching"
            what={folder}
            onClick={() => remove(watch)}
          />
        </Group>
      </Group>
      {recent.length > 0 && (
        <List listStyleType="none" spacing={4} aria-label="Last published" size="sm">
          {recent.map((file) => (
            <RecentFile key={`${file.filename} ${file.at}`} file={file} />
          ))}
        </List>
      )}
    </Stack>
  )
}

function StateText({ watch }: { watch: Watch }) {
  const { state, pattern, include_below, is_public, problem, publishing } = watch
  if (publishing !== null) return <Text c="dimmed">{`Publishing ${publishing}…`}</Text>
  if (state === 'watching')
    return (
      <Text c="dimmed">
        {'Watching for ' +
          (pattern === '*' ? 'all files' : pattern) +
          (include_below ? ', including subfolders' : '') +
          `. A new build is ${is_public ? 'public immediately' : 'kept private'}.`}
      </Text>
    )
  if (state === 'paused')
    return <Text c="dimmed">Paused. Builds that appear during the pause are ignored.</Text>

  return (
    <Text c="var(--mantine-color-error)">
      {state === 'missing'
        ? 'The folder is missing. Slipway resumes when it returns.'
        : `${problem}.`}
    </Text>
  )
}

const looks = {
  published: { text: 'Published', Picture: IconCheck, color: 'var(--mantine-color-dimmed)' },
  known: { text: 'Not published again', Picture: IconEqual, color: 'var(--mantine-color-dimmed)' },
  failed: { text: 'Failed', Picture: IconAlertTriangle, color: 'var(--mantine-color-error)' },
} as const

function RecentFile({
  file: { filename, outcome, version, warnings, error, at },
}: {
  file: WatchedFile
}) {
  const { text, Picture, color } = looks[outcome]

  return (
    <List.Item
      icon={<Picture size={16} color={color} role="img" aria-label={text} />}
      styles={{ itemWrapper: { alignItems: 'flex-start' } }}
    >
      <Text component="bdi" style={{ overflowWrap: 'anywhere' }}>
        {filename}
      </Text>{' '}
      <Text component="span" c="dimmed">
        {version !== null && `${version} · `}
        {outcome === 'known' && `Unchanged: the project already has this file · `}
        <Time value={at} />
      </Text>
      <WarningList warnings={warnings} />
      {error !== null && <Text c="var(--mantine-color-error)">{`${error}.`}</Text>}
    </List.Item>
  )
}
