import { Link } from 'react-router-dom'
import { useLoad } from '../../../lib/client/use-load'
import { isDiskLow } from '../../../lib/host/disk-room'
import { formatSize } from '../../../lib/texts/format'
import { useHost } from '../../../lib/host/host'
import { queryKeys } from '../../../lib/client/query-keys'
import { useManagesHost } from '../../../lib/session/use-manages-host'
import { useStorage } from '../../../lib/hooks/use-storage'
import classes from '../frame.module.css'
import { paths } from '../../../paths'

/**
 * Warns the host account on every page: where it manages the host, before a full disk refuses
 * uploads; elsewhere, when it does.
 */
export function DiskBanner() {
  const managesHost = useManagesHost()
  const { trouble } = useHost()
  if (managesHost === undefined || trouble !== null) return null
  return managesHost ? <LowDisk /> : <FullDisk />
}

function FullDisk() {
  const { data } = useStorage()
  if (!data || data.free > 0 || data.used >= data.quota) return null
  return (
    <p role="status" className={classes.banner}>
      The disk of this host is full, so uploads are refused. Delete files that you no longer need.
    </p>
  )
}

function LowDisk() {
  const { data } = useLoad(
    queryKeys.dataFolder,
    async (client, signal) => (await client.dataFolder.show({}, signal)).data_folder,
    { refetchInterval: 60_000 },
  )
  if (!data?.disk || !isDiskLow(data.disk)) return null

  return (
    <p role="status" className={classes.banner}>
      The disk of this host is almost full: {formatSize(data.disk.free)} left. Free space, or{' '}
      <Link to={paths.hostData}>move the data to a larger disk</Link>; uploads are refused once it
      is full.
    </p>
  )
}
