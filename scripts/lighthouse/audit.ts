import lighthouse, { desktopConfig } from 'lighthouse'

export const GOALS = { performance: 95, 'best-practices': 100, accessibility: 100, seo: 100 } as const
type Category = keyof typeof GOALS
const RUNS = 3

export interface Verdict {
  scores: Record<Category, number>
  script: number
  /** Audits that kept a category below its goal. */
  objections: string[]
}

/** Answers the median of some runs by performance: a single run depends on the load of the machine. */
export async function audit(url: string, device: 'phone' | 'desk', port: number): Promise<Verdict> {
  const verdicts: Verdict[] = []
  for (let run = 0; run < RUNS; run++) verdicts.push(await auditOnce(url, device, port))
  const sorted = verdicts.sort((one, other) => one.scores.performance - other.scores.performance)
  return sorted[(RUNS - 1) / 2] as Verdict
}

/** Audits by the Chromium whose debugger listens on `port`. `phone` simulates a slow device and line. */
async function auditOnce(url: string, device: 'phone' | 'desk', port: number): Promise<Verdict> {
  const onlyCategories = Object.keys(GOALS)
  const config = device === 'desk' ? desktopConfig : undefined
  const lhr = (await lighthouse(url, { port, onlyCategories, logLevel: 'error' }, config))?.lhr
  if (!lhr) throw new Error(`Lighthouse said nothing about ${url}`)
  const score = (category: Category) => Math.round((lhr.categories[category]?.score ?? 0) * 100)
  const missed = (Object.keys(GOALS) as Category[]).filter((category) => score(category) < GOALS[category])
  const doubtful = missed.flatMap(
    (category) => lhr.categories[category]?.auditRefs.filter(({ weight }) => weight > 0) ?? [],
  )
  return {
    scores: {
      performance: score('performance'),
      'best-practices': score('best-practices'),
      accessibility: score('accessibility'),
      seo: score('seo'),
    },
    script: scriptBytes(lhr.audits['network-requests']?.details),
    objections: [
      ...missed.map((category) => `${category} is ${score(category)}, not ${GOALS[category]}`),
      ...doubtful
        .map(({ id }) => lhr.audits[id])
        .filter((found) => found !== undefined && (found.score ?? 1) < 0.9)
        .map((found) => `${found?.title} ${found?.displayValue ?? ''}`),
    ],
  }
}

interface Requests {
  items: { resourceType?: string; transferSize?: number }[]
}

function scriptBytes(details: unknown): number {
  const scripts = (details as Requests).items.filter(({ resourceType }) => resourceType === 'Script')
  return scripts.reduce((sum, { transferSize = 0 }) => sum + transferSize, 0)
}
