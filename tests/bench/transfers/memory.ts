import { join } from 'node:path'
import { head, row } from '../support/figures'
import { curlTogether, peakMib, resetPeak, residentMib } from './process'
import { startSlipway } from './slipway'

const works = [
  { name: 'one upload', count: 1, target: '≤ 110' },
  { name: 'eight at once', count: 8, target: '< 200' },
]

/** The peak memory of uploads of raw bytes, each time on a freshly started host, including the memory before. */
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
