import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fillHost } from '../library/full-host'
import { head, percentile, row } from '../support/figures'
import { load } from '../support/load'
import { curlTogether, run } from './process'
import { report, reportHead } from './report'
import { startSlipway, type Slipway } from './slipway'

const RECORDS = 100_000
/** How many transfers each client makes while the API is asked, and with which pause in ms it is asked. */
const [TURNS, PAUSE_MS] = [12, 5]
const curl = (...args: string[]) => run('curl', ['-sS', '--fail', '-o', '/dev/null', ...args])

interface Given {
  dir: string
  samples: readonly string[]
  /** The same server with nothing but the samples. */
  empty: Slipway
  /** The size of the first sample. */
  mib: number
  rounds: number
}

/** Transfers of a host with 100,000 records in memory, and the response time of its API during them. */
export async function measureFull({ dir, samples, empty, mib, rounds }: Given): Promise<void> {
  await mkdir(join(dir, 'data'), { recursive: true, mode: 0o700 })
  await fillHost(join(dir, 'data'), RECORDS, RECORDS / 100)
  const full = await startSlipway(dir, samples, 'user0')
  const [big = '', eighth = ''] = samples
  const target = '≥ 0.95'
  try {
    console.log('')
    reportHead(`with ${RECORDS.toLocaleString('en')} records`, 'without')
    await report({ name: 'download × 1', target, mib, job: (s) => curl(s.download('big')) }, full, empty, rounds)
    await report({ name: 'upload of bare bytes', target, mib, job: (s) => curl(...s.put(big)) }, full, empty, rounds)
    console.log('')
    head('API meanwhile', 'p50 ms', 'p99 ms', 'target')
    // One curl for all turns of a client: starting a program takes a core for longer than an answer may.
    await measureApi('8 downloads', full, () => curlTogether(8, [`${full.download('eighth')}?turn=[1-${TURNS}]`]))
    await measureApi('4 uploads', full, () => curlTogether(4, full.put(eighth, `turn-[1-${TURNS}].bin`)))
  } finally {
    await full.stop()
  }
}

/** Asks for a list of 50 files again and again while some work is done. */
async function measureApi(name: string, host: Slipway, work: () => Promise<unknown>): Promise<void> {
  const state = { isOver: false }
  const working = work().finally(() => (state.isOver = true))
  const url = `${host.url}/api/files/my-files?limit=50`
  const took = await load(
    { url, headers: { 'x-api-key': host.key }, clients: 1, pauseMs: PAUSE_MS },
    () => state.isOver,
  )
  await working
  await host.forget()
  row(name, percentile(took, 50).toFixed(1), percentile(took, 99).toFixed(1), '≤ 10 ms')
}
