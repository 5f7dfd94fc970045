import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { Host } from '../../support/world/process'
import { register, type Place } from '../../faults/support/publisher'

export interface StandingHost {
  host: Host
  /** Its first account, which has the largest tier. */
  place: Place
  port: number
  dataDir: string
  /** Is removed after the test, and so is all in it. */
  base: string
}

/** Options of a host whose passwords cost what they do for people. */
export const REAL_PASSWORDS = ['--password-cost', '17']

/** The same for a server in the process of the test. */
export const withRealPasswords = { config: { passwordCost: undefined } }

/** The server in a process of its own, whose memory can be measured, until the test ends; `also` are options of the server. */
export async function aHost(...also: string[]): Promise<StandingHost> {
  const base = await mkdtemp(join(tmpdir(), 'slipway-security-'))
  const dataDir = join(base, 'data')
  const host = await Host.start(dataDir, { checkpointBytes: 10_000_000, also })
  onTestFinished(async () => {
    await host.kill()
    await rm(base, { recursive: true, force: true })
  })
  const place = await register(host)
  return { host, place, port: Number(new URL(host.url).port), dataDir, base }
}
