import { load } from '../api/load'
import { head, percentile, row } from '../support/figures'
import type { Subject } from './subject'

/** How long each turn takes, in ms. */
const TURN_MS = 700

/** Small answers, as many as sixteen clients get: a file of 10 KB, and that a file has not changed. */
export async function measureSmall(ours: Subject, theirs: Subject, rounds: number): Promise<void> {
  console.log('')
  head('answers', `${ours.name} /s`, `${theirs.name} /s`, 'ratio', 'target')
  await compare('a file of 10 KB', '≥ 0.85', 200, () => ({}))
  await compare('304', '≥ 1.0', 304, (etag) => ({ 'if-none-match': etag }))

  async function compare(name: string, target: string, status: number, headersFor: (etag: string) => object) {
    const rates: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      for (const [index, subject] of [theirs, ours].entries()) {
        const url = subject.download('small')
        const etag = (await fetch(url, { method: 'HEAD' })).headers.get('etag') ?? ''
        const took = await load(url, { ...headersFor(etag) }, TURN_MS, status)
        rates[index]?.push((took.length * 1000) / TURN_MS)
      }
    }
    const [their, our] = rates.map((list) => percentile(list, 50)) as [number, number]
    row(name, our.toFixed(0), their.toFixed(0), (our / their).toFixed(2), target)
  }
}
