import { Text } from '@mantine/core'
import type { Backups } from '../../../server/contract'
import { formatFiles, formatWhole } from '../../lib/texts/format'
import { Time } from '../../ui/text/time'
import { Warning } from '../../ui/feedback/warning'

export function BackupState({ backups }: { backups: Backups }) {
  const { folder, last, last_good_at, last_by_command, overdue } = backups

  return (
    <>
      {folder !== null && (
        <Text c="dimmed">
          {last_good_at === null ? (
            'No backup in this folder yet.'
          ) : (
            <LastGood at={last_good_at} last={last} />
          )}
        </Text>
      )}
      {last_by_command !== null && (
        <Text c="dimmed">
          Last backup by <code>slipway backup</code>: <Time value={last_by_command} inSentence />.
        </Text>
      )}
      {last !== null && last.failure !== null && (
        <Warning title="The last backup failed">{last.failure}</Warning>
      )}
      {overdue && last?.failure === null && (
        <Warning title="A backup is due">The last complete backup is more than a day old.</Warning>
      )}
    </>
  )
}

function LastGood({ at, last }: { at: string; last: Backups['last'] }) {
  return (
    <>
      Last backup <Time value={at} inSentence />
      {last?.failure === null &&
        `: ${formatFiles(last.files)}` +
          (last.shared === 0 ? '' : `, ${formatWhole(last.shared)} without new disk space`)}
      .
    </>
  )
}
