import { setTimeout as pause } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { MB } from '../../../server/contract'
import { named, noRoot } from '../../support/system/rounds'
import { needTools, run } from '../../support/system/debian'
import { aHost } from '../../support/world/place'

const SECONDS = 60
/**
 * The ways in which slowhttptest is slow: heads that do not end (slowloris), and bodies that do
 * not.
 */
const ways = { heads: ['-H'], bodies: ['-B', '-s', '100000'] }

/** The ms of each of consecutive requests, for so many seconds. */
async function requestsFor(seconds: number, ask: () => Promise<Response>): Promise<number[]> {
  const took: number[] = []
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await pause(50)) {
    const started = performance.now()
    const response = await ask()
    await response.arrayBuffer()
    expect(response.status).toBe(200)
    took.push(performance.now() - started)
  }
  return took.sort((a, b) => a - b)
}

test.skipIf(noRoot !== undefined).for(Object.entries(ways))(
  named('800 clients with slow %s do not keep others waiting (slowhttptest)'),
  { timeout: 180_000 },
  async ([what, way]) => {
    await needTools('slowhttptest')
    const { host } = await aHost()
    const before = host.rss()
    const address = `${host.url}/api/auth/login`
    const options = [
      '-c',
      '800',
      '-r',
      '400',
      '-i',
      '5',
      '-l',
      `${SECONDS}`,
      '-p',
      '3',
      '-u',
      address,
    ]

    const [{ stdout }, took] = await Promise.all([
      run('slowhttptest', [...way, ...options], { maxBuffer: 64 * MB }),
      requestsFor(SECONDS - 2, () => fetch(`${host.url}/api/auth/check`)),
    ])

    const p95 = took[Math.ceil(took.length * 0.95) - 1] ?? NaN
    const grown = Math.round((host.rss() - before) / MB)
    console.log(
      `15: 800 slow ${what}: ${took.length} requests, p95 ${p95.toFixed(0)} ms, ${grown} MB more memory`,
    )
    const verdicts = [
      ...stripVTControlCharacters(stdout).matchAll(/service available:\s+(\w+)/g),
    ].map(([, it]) => it)
    expect(new Set(verdicts)).toEqual(new Set(['YES']))
    // A server that slow clients can starve does not answer at all; a loaded machine may well take
    // its time.
    expect(p95).toBeLessThan(2000)
    expect(grown).toBeLessThan(100)
  },
)
