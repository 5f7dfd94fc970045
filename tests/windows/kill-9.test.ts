import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { crashRounds } from '../faults/support/crash-rounds'

test('a host on Windows that is killed ten times restarts by itself, and loses nothing', async () => {
  const base = await mkdtemp(join(tmpdir(), 'slipway-windows-'))
  onTestFinished(() => rm(base, { recursive: true, force: true, maxRetries: 5 }))
  const acknowledged = await crashRounds(join(base, 'data'), 10, async (host) => {
    await pause(randomInt(20, 1000))
    await host.kill()
  })
  expect(acknowledged).toBeGreaterThan(0)
})
