import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { crashRounds } from '../../support/crash/crash-rounds'
import { Host } from '../../support/world/process'
import { rounds } from '../../support/system/rounds'
import { tempDir } from '../../support/system/temp-dir'

const ROUNDS = rounds(200, 5)

test(
  `2, 4: ${ROUNDS} times kill -9: restarts by itself, loses nothing and leaves nothing behind`,
  { timeout: 60_000 + ROUNDS * 10_000 },
  async () => {
    const base = await tempDir()
    const dir = join(base, 'data')
    const acknowledged = await crashRounds(dir, ROUNDS, async (host) => {
      await pause(randomInt(20, 400))
      await host.kill()
      // One time in ten the next one does not even get to the end of its start.
      if (randomInt(10) > 0) return
      const next = Host.spawn(dir)
      await pause(randomInt(50, 300))
      await next.kill()
    })
    expect(acknowledged).toBeGreaterThan(0)
    console.log(`2, 4: ${ROUNDS} kills, ${acknowledged} acknowledged changes, none lost`)
  },
)
