import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { MEMORY } from '../../../scripts/test/memory'
import { unpacked } from './debian'
import { tempDir } from './temp-dir'

const MACHINE = process.arch === 'arm64' ? 'aarch64' : 'x86_64'
const LIBRARY = `usr/lib/${MACHINE}-linux-gnu/faketime/libfaketimeMT.so.1`

/** A clock for real programs that a test moves while they run (Debian's libfaketime). */
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

  /** Sets the clock this many seconds ahead of the machine's. */
  async moveTo(seconds: number): Promise<void> {
    // Renamed into place: a program that reads an empty file falls back to the machine's time.
    await writeFile(join(this.dir, 'next'), `+${seconds}\n`)
    await rename(join(this.dir, 'next'), join(this.dir, 'offset'))
  }

  /**
   * Arguments that start a program under this clock. `keepsMonotonic`: its monotonic clock stays
   * the machine's, so that only the time of day moves.
   */
  under(keepsMonotonic = false): string[] {
    const recordPid = ['sh', '-c', `echo $$ >>${join(this.dir, 'pids')}; exec "$@"`, 'sh']
    const variables = [
      `LD_PRELOAD=${this.library}`,
      `FAKETIME_TIMESTAMP_FILE=${join(this.dir, 'offset')}`,
    ]
    return [
      ...recordPid,
      'env',
      ...variables,
      'FAKETIME_NO_CACHE=1',
      ...(keepsMonotonic ? ['DONT_FAKE_MONOTONIC=1'] : []),
    ]
  }

  /**
   * Removes the shared memory that libfaketime names after the first process of a program: killed
   * programs leave it behind.
   */
  async #removeShared(): Promise<void> {
    const pids = (await readFile(join(this.dir, 'pids'), 'utf8').catch(() => ''))
      .split('\n')
      .filter(Boolean)
    const names = pids.flatMap((pid) => [`faketime_shm_${pid}`, `sem.faketime_sem_${pid}`])
    await Promise.all(names.map((name) => rm(join(MEMORY, name), { force: true })))
  }
}
