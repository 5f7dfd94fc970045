import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { crashRounds } from '../../support/crash/crash-rounds'
import { named, noRoot, rounds } from '../../support/system/rounds'
import { aVolume } from '../support/volume'

const ROUNDS = rounds(25, 1)

test.skipIf(noRoot).each(['ext4', 'xfs'] as const)(
  named(
    `1, 4: ${ROUNDS} power cuts on %s: all that was acknowledged is there, nothing is there by half`,
  ),
  { timeout: 60_000 + ROUNDS * 20_000 },
  async (kind) => {
    const volume = await aVolume(kind)
    const acknowledged = await crashRounds(join(volume.dir, 'data'), ROUNDS, async (host) => {
      await pause(randomInt(100, 1500))
      host.process.kill('SIGSTOP')
      await volume.cut()
      await host.kill()
      await volume.unmount()
      await volume.mount()
    })
    expect(acknowledged).toBeGreaterThan(0)
    console.log(
      `1, 4: ${ROUNDS} power cuts on ${kind}, ${acknowledged} acknowledged changes, none lost`,
    )
  },
)
