import { List, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconEqual } from '@tabler/icons-react'
import type { WatchedFile } from '../../../server/contract'
import { hostMessages } from '../../lib/words/host-messages'
import { Time } from '../../ui/text/time'

const looks = {
  published: { Picture: IconCheck, color: 'var(--mantine-color-dimmed)' },
  known: { Picture: IconEqual, color: 'var(--mantine-color-dimmed)' },
  failed: { Picture: IconAlertTriangle, color: 'var(--mantine-color-error)' },
} as const

export function RecentFile({ file: { filename, outcome, version, error, at } }: { file: WatchedFile }) {
  const { Picture, color } = looks[outcome]
  return (
    <List.Item
      icon={<Picture size={16} color={color} role="img" aria-label={hostMessages.watch.outcome[outcome]} />}
      styles={{ itemWrapper: { alignItems: 'flex-start' } }}
    >
      <Text component="bdi" style={{ overflowWrap: 'anywhere' }}>
        {filename}
      </Text>{' '}
      <Text component="span" c="dimmed">
        {version !== null && `${version} · `}
        {outcome === 'known' && `${hostMessages.watch.known} · `}
        <Time value={at} />
      </Text>
      {error !== null && <Text c="var(--mantine-color-error)">{`${error}.`}</Text>}
    </List.Item>
  )
}
