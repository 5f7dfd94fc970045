import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { MEMORY } from '../../../scripts/test/memory'
import { unpacked } from './debian'
import { tempDir } from './temp-dir'

const MACHINE = process.arch === 'arm64' ? 'aarch64' : 'x86_64'
const LIBRARY = `usr/lib/${MACHINE}-linux-gnu/faketime/libfaketimeMT.so.1`

/** The clock of real programs, which a test moves while they run (libfaketime of Debian). */
export class MovedClock {
  private constructor(
    private readonly dir: string,
    private readonly library: string,
  ) {}

  static async open(): Promise<MovedClock> {
    const { libfaketime } = await unpacked('libfaketime')
    const clock = new MovedClock(await tempDir(), libfaketime.file(LIBRARY))
    onTestFinished(() => clock.#removeShared())
    await clock.moveTo(0)
    return clock
  }

  /** Shows this many seconds more than the clock of the machine. */
  async moveTo(seconds: number): Promise<void> {
    // At once: a program that reads an empty file goes back to the time of the machine.
    await writeFile(join(this.dir, 'next'), `+${seconds}\n`)
    await rename(join(this.dir, 'next'), join(this.dir, 'offset'))
  }

  /**
   * The words before a program that goes by this clock, `isWall`: but measures durations by that of
   * the machine.
   */
  under(isWall = false): string[] {
    const noting = ['sh', '-c', `echo $$ >>${join(this.dir, 'pids')}; exec "$@"`, 'sh']
    const places = [
      `LD_PRELOAD=${this.library}`,
      `FAKETIME_TIMESTAMP_FILE=${join(this.dir, 'offset')}`,
    ]
    return [
      ...noting,
      'env',
      ...places,
      'FAKETIME_NO_CACHE=1',
      ...(isWall ? ['DONT_FAKE_MONOTONIC=1'] : []),
    ]
  }

  /**
   * What libfaketime shares between processes, under the id of the first: a killed one leaves it
   * behind.
   */
  async #removeShared(): Promise<void> {
    const pids = (await readFile(join(this.dir, 'pids'), 'utf8').catch(() => ''))
      .split('\n')
      .filter(Boolean)
    const names = pids.flatMap((pid) => [`faketime_shm_${pid}`, `sem.faketime_sem_${pid}`])
    await Promise.all(names.map((name) => rm(join(MEMORY, name), { force: true })))
  }
}
