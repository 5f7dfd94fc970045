import { randomUUID } from 'node:crypto'
import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Before a program: it runs in a container of its own, with its own process numbers, on the same
 * kernel.
 */
export const container = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc']

/**
 * What a machine sees of a folder on a network drive without locks: its own boot id and host name,
 * its own lock file of the operating system, and a file system that is not known to be local.
 */
const SCRIPT = `hostname "$3"
mount --bind "$1/boot_id" /proc/sys/kernel/random/boot_id
mount -t ramfs none "$1/ram"
touch "$1/ram/lock"
mount --bind "$1/ram/lock" "$2/slipway.lock"
shift 3
exec "$@"`

/** Before a program: it runs as on a machine of this name. */
export async function machine(name: string, dataDir: string): Promise<string[]> {
  const dir = `${dataDir}-${name}`
  await mkdir(join(dir, 'ram'), { recursive: true })
  await mkdir(dataDir, { recursive: true })
  await writeFile(join(dir, 'boot_id'), `${randomUUID()}\n`)
  await appendFile(join(dataDir, 'slipway.lock'), '')
  return ['unshare', '--uts', '--mount', 'sh', '-ec', SCRIPT, 'sh', dir, dataDir, name]
}
