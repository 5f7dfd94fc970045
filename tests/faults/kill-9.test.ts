import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { examine, examineAll, listen } from './witness'

const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 50)

test(
  `${ROUNDS} times kill -9: what was acknowledged is there, nothing is there by half`,
  { timeout: ROUNDS * 10_000 },
  async () => {
    const dir = await mkdtemp(join(tmpdir(), 'slipway-kill-9-'))
    onTestFinished(() => rm(dir, { recursive: true, force: true }))
    let acknowledged = 0
    for (let round = 0; round < ROUNDS; round++) {
      const said = await listen(dir, async (publisher, ready) => {
        // One time in ten it does not even get to the end of its start.
        await (randomInt(10) === 0 ? pause(randomInt(200, 500)) : ready)
        await pause(randomInt(20, 300))
        publisher.kill('SIGKILL')
      })
      acknowledged += said.added.size
      await examine(dir, said)
    }
    await examineAll(dir)
    expect(acknowledged).toBeGreaterThan(ROUNDS)
    console.log(`${ROUNDS} kills, ${acknowledged} acknowledged publishes, none lost`)
  },
)
