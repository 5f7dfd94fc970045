import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { Link } from 'react-router-dom'
import type { Activity } from '../../../server/contract'
import { formatSize } from '../../lib/texts/format'
import { paths } from '../../paths'
import { isOnline, presence, stateLine } from './host-words'
import classes from './state-line.module.css'
import { useSetSharing } from '../../lib/host/host-settings'

export function StateLine({ activity }: { activity: Activity }) {
  const { sharing, awaited, disk, hosts, blobs_bucket } = activity
  const { setSharing, isPending } = useSetSharing()

  return (
    <Group component="section" aria-label="State" justify="space-between" gap="md">
      <Stack gap={4} flex="1 1 16rem">
        <Text component="p" m={0} fz={{ base: 'lg', sm: 'xl' }} fw={600} className={classes.line}>
          <span className={classes.lamp} data-on={isOnline(activity) || undefined} aria-hidden />
          {stateLine(activity)}
        </Text>
        <Text c="dimmed">
          {presence(activity)}{' '}
          {awaited.length > 0 && (
            <>
              <Anchor component={Link} to={`${paths.hostSettings}#reach`}>
                Choose other addresses
              </Anchor>
              .{' '}
            </>
          )}
          {formatSize(disk.free)} of {formatSize(disk.total)} disk space left
          {blobs_bucket !== null && ' for running uploads'}.
        </Text>
      </Stack>
      {(hosts === null || !sharing) && (
        <Button
          variant={sharing ? 'default' : 'filled'}
          loading={isPending}
          onClick={() => setSharing(!sharing)}
        >
          {sharing ? 'Pause sharing' : 'Share on this network'}
        </Button>
      )}
    </Group>
  )
}
