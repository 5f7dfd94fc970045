import { mkdir, mkdtemp, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { run } from '../../support/system/debian'
import { lastWill } from '../../support/system/last-will'

const IMAGE_BYTES = 1024 ** 3
const PUT_AWAY = 'umount --lazy "$1"; rm -rf "$2"'

/**
 * A file system of its own, whose power can be cut: the kernel then forgets all that was not
 * synced.
 */
export interface Volume {
  /** Where it is mounted. */
  dir: string
  cut(): Promise<unknown>
  unmount(): Promise<unknown>
  /** Detaches it also from processes with open files on it. */
  pull(): Promise<unknown>
  mount(): Promise<unknown>
}

export async function aVolume(kind: 'ext4' | 'xfs'): Promise<Volume> {
  const base = await mkdtemp(join(tmpdir(), `slipway-${kind}-`))
  const dir = join(base, 'disk')
  let image = join(base, 'disk.img')
  await writeFile(image, '')
  await truncate(image, IMAGE_BYTES)
  await mkdir(dir)
  await run(`mkfs.${kind}`, ['-q', image])
  const options = kind === 'xfs' ? 'loop,nouuid' : 'loop'
  const mount = async () => {
    if (!(await isReleased(image))) {
      await run('cp', ['--sparse=always', image, `${image}+`])
      image += '+'
    }
    await run('mount', ['-o', options, image, dir])
  }
  onTestFinished(lastWill(PUT_AWAY, dir, base).execute)
  await mount()
  // As xfstests does it, without writing the journal of the file system first.
  const cut = () => run('xfs_io', ['-x', '-c', 'shutdown', dir])
  const pull = () => run('umount', ['--lazy', dir])
  return { dir, cut, unmount: () => run('umount', [dir]), pull, mount }
}

/**
 * A program started since, in its own mount namespace, may hold the detached file system and its
 * image: then only a copy of the image can be mounted.
 */
async function isReleased(image: string): Promise<boolean> {
  for (let look = 0; look < 20; look++) {
    if ((await run('losetup', ['-j', image])).stdout === '') return true
    await pause(50)
  }
  return false
}

/** A small disk in memory, which fills up; at most `files` files, if given. */
export async function aSmallDisk(
  megabytes: number,
  files?: number,
  parent = tmpdir(),
): Promise<string> {
  const dir = await mkdtemp(join(parent, 'slipway-small-'))
  onTestFinished(lastWill(PUT_AWAY, dir, dir).execute)
  await run('mount', [
    '-t',
    'tmpfs',
    '-o',
    `size=${megabytes}m${files === undefined ? '' : `,nr_inodes=${files}`}`,
    'tmpfs',
    dir,
  ])
  return dir
}
