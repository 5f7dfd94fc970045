import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { unpacked } from './debian'

const MACHINE = process.arch === 'arm64' ? 'aarch64' : 'x86_64'
const LIBRARY = `usr/lib/${MACHINE}-linux-gnu/faketime/libfaketimeMT.so.1`

/** The clock of real programs, which a test moves while they run (libfaketime of Debian). */
export class MovedClock {
  private constructor(
    private readonly path: string,
    private readonly library: string,
  ) {}

  static async open(): Promise<MovedClock> {
    const { libfaketime } = await unpacked('libfaketime')
    const dir = await mkdtemp(join(tmpdir(), 'slipway-clock-'))
    onTestFinished(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }))
    const clock = new MovedClock(join(dir, 'offset'), libfaketime.file(LIBRARY))
    await clock.moveTo(0)
    return clock
  }

  /** Shows this many seconds more than the clock of the machine. */
  async moveTo(seconds: number): Promise<void> {
    await writeFile(this.path, `+${seconds}\n`)
  }

  /** The words before a program that goes by this clock, `isWall`: but measures durations by that of the machine. */
  under(isWall = false): string[] {
    const places = [`LD_PRELOAD=${this.library}`, `FAKETIME_TIMESTAMP_FILE=${this.path}`, 'FAKETIME_NO_CACHE=1']
    return ['env', ...places, ...(isWall ? ['DONT_FAKE_MONOTONIC=1'] : [])]
  }
}
