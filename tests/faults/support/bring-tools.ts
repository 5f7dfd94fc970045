import { needTools } from '../../support/debian'
import { noRoot } from './rounds'

/** Installs what all tests of faults run, at once. */
export default async function bringTools(): Promise<void> {
  if (noRoot !== undefined) return
  const disks = { 'mkfs.ext4': 'e2fsprogs', 'mkfs.xfs': 'xfsprogs', xfs_io: 'xfsprogs' }
  await needTools({ ...disks, strace: 'strace', curl: 'curl' })
}
