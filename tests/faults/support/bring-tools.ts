import { needTools } from '../../support/system/debian'
import { noRoot } from '../../support/system/rounds'

/** Installs what all tests of faults run, at once. */
export default async function bringTools(): Promise<void> {
  if (noRoot !== undefined) return
  await needTools('mkfs.ext4', 'mkfs.xfs', 'xfs_io', 'strace', 'curl', 'ruby')
}
