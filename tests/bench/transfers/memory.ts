import { join } from 'node:path'
import { head, row } from '../support/figures'
import { curlTogether, peakMib, resetPeak, residentMib } from './process'
import { startSlipway } from './slipway'

const works = [
  { name: 'one upload', count: 1, target: '≤ 110' },
  { name: 'eight at once', count: 8, target: '< 200' },
]

/** What uploads of bare bytes hold at most, each time on a host that has just started: what was held before counts too. */
export async function measureMemory(dir: string, file: string): Promise<void> {
  console.log('')
  head('memory', 'before MiB', 'peak MiB', 'target')
  for (const { name, count, target } of works) {
    const host = await startSlipway(join(dir, name.replaceAll(' ', '-')), [])
    try {
      const before = await residentMib(host.pid)
      await resetPeak(host.pid)
      await curlTogether(count, host.put(file))
      row(name, before.toFixed(0), (await peakMib(host.pid)).toFixed(0), target)
    } finally {
      await host.stop()
    }
  }
}
