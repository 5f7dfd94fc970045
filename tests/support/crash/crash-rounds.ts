import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { examine, type CommitLog } from './ledger'
import { Host, until } from '../world/process'
import { aCommitLog, publish } from './publishing'
import { clientAt, fetchAt, register, type Place } from '../world/place'
import { sha256 } from '../system/sha256'

const CLIENTS = 6

/**
 * Ends the host in the middle of its work, by one of several ways. `end` returns when the process
 * has exited.
 */
export type Crash = (host: Host) => Promise<void>

/**
 * Crashes the real server round after round, with checks after each. Returns how much was
 * acknowledged in all.
 */
export async function crashRounds(dir: string, rounds: number, crash: Crash): Promise<number> {
  let host = await Host.start(dir)
  let place = await register(host)
  const ledgers = await Promise.all(Array.from({ length: CLIENTS }, () => aCommitLog(place)))
  for (let round = 0; round < rounds; round++) {
    const before = confirmed(ledgers)
    const work = ledgers.map((ledger) => publish(place, ledger))
    // A crash before the first confirmation would prove nothing.
    await until(() => Promise.resolve(confirmed(ledgers) > before))
    await crash(host)
    await Promise.all(work)
    const bytes = await examine(dir, ledgers)
    host = await Host.start(dir)
    place = { ...place, url: host.url }
    await expectClean(dir, place, ledgers, bytes)
  }
  await host.stop()
  await examine(dir, ledgers)
  return confirmed(ledgers)
}

const confirmed = (ledgers: readonly CommitLog[]) =>
  ledgers.reduce((sum, { acknowledged }) => sum + acknowledged, 0)

/**
 * After a start: no leftovers of the crash, no reservations, and the newest file of each client is
 * served.
 */
async function expectClean(
  dir: string,
  place: Place,
  ledgers: readonly CommitLog[],
  bytes: number,
): Promise<void> {
  await until(async () => (await readdir(join(dir, 'tmp'))).length === 0)
  // The start may be followed by a snapshot, whose draft is no left-over.
  await until(async () => !(await readdir(dir)).some((name) => name.endsWith('.tmp')))
  const { stats } = await clientAt(place).storage.stats({})
  const ofFiles = stats.by_kind.reduce(
    (sum, { kind, size }) => (kind === 'text' ? sum : sum + size),
    0,
  )
  expect(ofFiles, 'used by files, with nothing reserved').toBe(bytes)
  for (const ledger of ledgers.slice(0, 2)) {
    const known = [...ledger.files.values()].at(-1)
    if (!known) continue
    const reply = await fetchAt(place)(`/api/files/${known.id}/download`)
    expect(sha256(new Uint8Array(await reply.arrayBuffer()))).toBe(known.sha256)
  }
}
