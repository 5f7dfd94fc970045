import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Firewall } from '../contract'

/**
 * The firewall that usually guards this system. On Linux the one that runs; only root can read the
 * rules of nftables, which every other one there sets too. `root`: where the files of the system
 * are.
 */
export async function usualFirewall(
  platform: string = process.platform,
  root = '/',
): Promise<Firewall> {
  if (platform === 'win32') return 'windows'
  if (platform === 'darwin') return 'macos'

  const ufw = await readFile(join(root, 'etc/ufw/ufw.conf'), 'utf8').catch(() => '')
  if (/^ENABLED=yes/m.test(ufw)) return 'ufw'

  const isRunning = access(join(root, 'sys/fs/cgroup/system.slice/firewalld.service')).then(
    () => true,
    () => false,
  )
  return (await isRunning) ? 'firewalld' : 'nftables'
}
