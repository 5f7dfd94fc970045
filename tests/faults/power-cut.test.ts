import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { examine, examineAll, listen } from './witness'

/**
 * Cuts the power of a file system in the middle of the work, as xfstests does: the kernel forgets all that was not
 * synced. Needs root, loop devices and python3, so it runs only when asked: `POWER_CUTS=25 vitest run tests/faults`.
 */
const ROUNDS = Number(process.env.POWER_CUTS ?? 0)
const MKFS = process.env.POWER_CUT_MKFS ?? 'mkfs.ext4'
const IMAGE_BYTES = 1024 ** 3

/** FS_IOC_SHUTDOWN without writing the journal. Node has no ioctl. */
const SHUTDOWN =
  'import fcntl, os, struct, sys; fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587d, struct.pack("I", 2))'

const run = promisify(execFile)

async function makeDisk(): Promise<{
  mount: () => Promise<unknown>
  cut: () => Promise<unknown>
  unmount: () => Promise<unknown>
  dir: string
}> {
  const base = await mkdtemp(join(tmpdir(), 'slipway-power-'))
  const [image, point] = [join(base, 'disk.img'), join(base, 'disk')]
  await writeFile(image, '')
  await truncate(image, IMAGE_BYTES)
  await mkdir(point)
  await run(MKFS, ['-q', image])
  const unmount = () => run('umount', [point])
  onTestFinished(async () => {
    await run('umount', ['--lazy', point]).catch(() => undefined)
    await rm(base, { recursive: true, force: true })
  })
  return {
    mount: () => run('mount', ['-o', 'loop', image, point]),
    cut: () => run('python3', ['-c', SHUTDOWN, point]),
    unmount,
    dir: join(point, 'data'),
  }
}

test.skipIf(ROUNDS === 0)(
  `${ROUNDS} power cuts: what was acknowledged is there, nothing is there by half`,
  { timeout: ROUNDS * 20_000 },
  async () => {
    const disk = await makeDisk()
    await disk.mount()
    let acknowledged = 0
    for (let round = 0; round < ROUNDS; round++) {
      const said = await listen(disk.dir, async (publisher, ready) => {
        await ready
        await pause(randomInt(20, 2000))
        publisher.kill('SIGSTOP')
        await disk.cut()
        publisher.kill('SIGKILL')
      })
      acknowledged += said.added.size
      await disk.unmount()
      await disk.mount()
      await examine(disk.dir, said)
    }
    await examineAll(disk.dir)
    expect(acknowledged).toBeGreaterThan(ROUNDS)
    console.log(`${ROUNDS} power cuts, ${acknowledged} acknowledged publishes, none lost`)
  },
)
