import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { crashRounds } from '../support/crash/crash-rounds'
import { tempDir } from '../support/system/temp-dir'

test('a host on Windows that is killed ten times restarts by itself, and loses nothing', async () => {
  const base = await tempDir()
  const acknowledged = await crashRounds(join(base, 'data'), 10, async (host) => {
    await pause(randomInt(20, 1000))
    await host.kill()
  })
  expect(acknowledged).toBeGreaterThan(0)
})
