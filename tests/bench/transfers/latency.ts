import { mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fillHost } from '../../support/data/full-host'
import { head, judge, percentile, row } from '../support/figures'
import type { Build } from '../support/host'
import { load } from '../support/load'
import { curlTogether } from '../../support/machines/process'
import { startSlipway, type Slipway } from './slipway'

const RECORDS = 100_000
const ROUNDS = 3
/**
 * How many transfers a client makes in a round. One curl makes them, as starting a program takes a
 * core for a while.
 */
const TURNS = 4
const PAUSE_MS = 5

/** How long the API of full hosts takes to answer during transfers of a file. */
export async function measureLatency(
  dir: string,
  builds: readonly Build[],
  file: string,
): Promise<void> {
  const hosts: Slipway[] = []
  for (const build of builds) {
    const data = join(dir, `full-${build.name}`)
    await mkdir(data, { mode: 0o700 })
    await fillHost(data, RECORDS, 1000)
    hosts.push(await startSlipway(build, data, { samples: [file], account: 'user0' }))
  }
  const name = basename(file)
  head(
    `API at ${RECORDS.toLocaleString('en')} records`,
    ...builds.flatMap((one) => [`${one.name} p50`, 'p99']),
    'goal',
  )
  await measure('at rest', '', () => pause(2000))
  await measure('8 downloads', '≤ 5 ms', (host) =>
    curlTogether(8, [`${host.download(name)}?turn=[1-${TURNS}]`]),
  )
  await measure('4 uploads', '≤ 5 ms', (host) =>
    curlTogether(4, host.put(file, `turn-[1-${TURNS}].bin`)),
  )
  for (const host of hosts) await host.stop()

  async function measure(
    during: string,
    goal: string,
    work: (host: Slipway) => Promise<unknown>,
  ): Promise<void> {
    const took: number[][] = hosts.map(() => [])
    for (let round = 0; round < ROUNDS; round++)
      for (const [index, host] of hosts.entries())
        took[index]?.push(...(await timeListsDuring(host, () => work(host))))
    const cells = took.flatMap((all) =>
      [50, 99].map((percent) => `${percentile(all, percent).toFixed(1)} ms`),
    )
    row(during, ...cells, judge(goal, percentile(took[0] ?? [], 99)))
  }
}

/** Asks for a list of 50 files again and again while some work is done. */
async function timeListsDuring(host: Slipway, work: () => Promise<unknown>): Promise<number[]> {
  let isOver = false
  const working = work().finally(() => (isOver = true))
  const question = {
    url: `${host.url}/api/files/my-files?limit=50`,
    headers: { 'x-api-key': host.key },
  }
  const took = await load({ ...question, clients: 1, pauseMs: PAUSE_MS }, () => isOver)
  await working
  await host.forget()
  return took
}
