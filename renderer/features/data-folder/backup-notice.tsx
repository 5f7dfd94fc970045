import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router-dom'
import { paths } from '../../paths'
import { BackupState } from './backup-state'
import { useBackups } from './use-backups'

export function BackupNotice() {
  const { data } = useBackups()
  if (!data) return null
  return (
    <section aria-label="Last backup">
      {data.folder === null ? <Text c="dimmed">Backups are off.</Text> : <BackupState backups={data} />}
      <Anchor component={Link} to={paths.hostData}>
        Data and backups
      </Anchor>
    </section>
  )
}
