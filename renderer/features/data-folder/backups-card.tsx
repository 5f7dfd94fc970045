import { Button, Card, Group, Progress, Stack, Switch, Text, Title } from '@mantine/core'
import type { Backups } from '../../../server/contract'
import { AfterFirstView } from '../../lib/browser/after-first-view'
import { isAppWindow } from '../../lib/browser/desktop'
import { lazyPage } from '../../lib/browser/lazy-page'
import { formatWhole } from '../../lib/texts/format'
import { Warning } from '../../ui/feedback/warning'
import { BackupState } from './backup-state'
import classes from './data.module.css'
import { useBackupActions } from './use-backups'

const BackupCommands = lazyPage(() => import('./backup-commands'), 'BackupCommands')

export function BackupsCard({ backups, dataPath }: { backups: Backups; dataPath: string }) {
  const { folder, last_by_command, same_disk, running } = backups
  const isOff = folder === null && last_by_command === null

  return (
    <Card component="section" aria-label="Backups">
      <Stack gap="md">
        <Title order={2} size="h3">
          Backups
        </Title>
        {isOff ? (
          <Text c="dimmed">Backups are off. Choose a folder, best on another disk.</Text>
        ) : (
          <Stack gap={4}>
            {folder !== null && <Text className={classes.path}>{folder}</Text>}
            <BackupState backups={backups} />
          </Stack>
        )}
        {same_disk && (
          <Warning title="The backups are on the same disk as the data">
            These backups help after a mistaken deletion, but not when the disk fails.
          </Warning>
        )}
        {running && <BackupProgress running={running} />}
        <Actions backups={backups} />
        {!isAppWindow() && (
          <AfterFirstView>
            <BackupCommands folder={folder ?? '/mnt/backup/slipway'} dataPath={dataPath} />
          </AfterFirstView>
        )}
      </Stack>
    </Card>
  )
}

function Actions({ backups: { folder, daily, running } }: { backups: Backups }) {
  const { choosing, scheduling, backingUp, restoring } = useBackupActions()
  const hasFolder = folder !== null

  return (
    <>
      {hasFolder && (
        <Switch
          label="Daily backup"
          description={
            'Made while Slipway runs. Slipway keeps the daily backups of 7 days, then one per ' +
            'week for 4 weeks, and every backup that you start yourself.'
          }
          checked={scheduling.isPending ? scheduling.variables : daily}
          onChange={(event) => scheduling.mutate(event.currentTarget.checked)}
        />
      )}
      {(hasFolder || isAppWindow()) && (
        <Group gap="xs">
          {hasFolder && (
            <Button
              loading={backingUp.isPending || running !== null}
              onClick={() => backingUp.mutate()}
            >
              Back up now
            </Button>
          )}
          {isAppWindow() && (
            <Button
              variant={hasFolder ? 'default' : 'filled'}
              loading={choosing.isPending}
              disabled={running !== null}
              onClick={() => choosing.mutate()}
            >
              {hasFolder ? 'Choose another folder' : 'Choose a folder'}
            </Button>
          )}
          {isAppWindow() && (
            <Button
              variant="default"
              loading={restoring.isPending}
              disabled={running !== null}
              onClick={() => restoring.mutate()}
            >
              Restore from a backup…
            </Button>
          )}
        </Group>
      )}
      {!isAppWindow() && <Text c="dimmed">You can choose the folder in the Slipway app only.</Text>}
    </>
  )
}

function BackupProgress({
  running: { files, total_files },
}: {
  running: NonNullable<Backups['running']>
}) {
  return (
    <Stack gap={4}>
      <Progress
        value={total_files === 0 ? 0 : (files / total_files) * 100}
        aria-label="Progress of the backup"
      />
      <Text c="dimmed">
        {total_files === 0
          ? 'Counting files'
          : `${formatWhole(files)} of ${formatWhole(total_files)} files`}
      </Text>
    </Stack>
  )
}
