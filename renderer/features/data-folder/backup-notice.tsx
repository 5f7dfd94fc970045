import { Button, Card, Group, Text } from '@mantine/core'
import { Link } from 'react-router-dom'
import { paths } from '../../paths'
import { BackupState } from './backup-state'
import { useBackups } from './use-backups'

/** Whether this host is backed up, with the way to its backups. */
export function BackupNotice() {
  const { data } = useBackups()
  if (!data) return null
  const isOff = data.folder === null && data.last_by_command === null

  return (
    <Card component="section" aria-label="Last backup" padding="md">
      <Group justify="space-between" gap="sm">
        <div>{isOff ? <Text>Backups are off.</Text> : <BackupState backups={data} />}</div>
        <Button component={Link} to={paths.hostData} variant="default">
          {isOff ? 'Set up backups' : 'Data and backups'}
        </Button>
      </Group>
    </Card>
  )
}
