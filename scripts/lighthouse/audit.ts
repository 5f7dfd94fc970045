import lighthouse, { desktopConfig } from 'lighthouse'
import type { Headers } from './first-view'

export const GOALS = {
  performance: 95,
  'best-practices': 100,
  accessibility: 100,
  seo: 100,
} as const
type Category = keyof typeof GOALS
/** Compressed bytes of script that a visitor's page may load before it works. */
export const MOST_SCRIPT = 30_000
const RUNS = 3
/** The overview of the host never ends loading: it keeps a stream open. */
const MOST_WAIT_MS = 20_000

export interface Verdict {
  scores: Record<Category, number>
  script: number
  /** Audits that kept a category below its goal. */
  objections: string[]
}

interface Subject {
  device: 'phone' | 'desk'
  port: number
  /** Of a signed-in person. */
  headers?: Headers
  only?: readonly Category[]
}

/**
 * Answers the median of some runs by performance: a single run depends on the load of the machine.
 */
export async function audit(url: string, subject: Subject): Promise<Verdict> {
  // Only the performance varies.
  if (subject.only && !subject.only.includes('performance')) return auditOnce(url, subject)
  const verdicts: Verdict[] = []
  for (let run = 0; run < RUNS; run++) verdicts.push(await auditOnce(url, subject))
  const sorted = verdicts.sort((one, other) => one.scores.performance - other.scores.performance)
  return sorted[(RUNS - 1) / 2] as Verdict
}

/**
 * Audits by the Chromium whose debugger listens on `port`. `phone` simulates a slow device and
 * line.
 */
async function auditOnce(url: string, { device, port, headers, only }: Subject): Promise<Verdict> {
  const onlyCategories = [...(only ?? (Object.keys(GOALS) as Category[]))]
  const config = device === 'desk' ? desktopConfig : undefined

  const lhr = (
    await lighthouse(
      url,
      {
        port,
        onlyCategories,
        logLevel: 'error' as const,
        maxWaitForLoad: MOST_WAIT_MS,
        ...(headers === undefined ? {} : { extraHeaders: headers }),
      },
      config,
    )
  )?.lhr
  if (!lhr) throw new Error(`Lighthouse said nothing about ${url}`)

  const score = (category: Category) => Math.round((lhr.categories[category]?.score ?? 0) * 100)
  const missed = onlyCategories.filter((category) => score(category) < GOALS[category])
  const doubtful = missed.flatMap(
    (category) => lhr.categories[category]?.auditRefs.filter(({ weight }) => weight > 0) ?? [],
  )

  const script = only === undefined ? scriptBytes(lhr.audits) : 0

  return {
    scores: {
      performance: score('performance'),
      'best-practices': score('best-practices'),
      accessibility: score('accessibility'),
      seo: score('seo'),
    },
    script,
    objections: [
      ...(script > MOST_SCRIPT ? [`loads ${Math.round(script / 1000)} kB of script`] : []),
      ...missed.map((category) => `${category} is ${score(category)}, not ${GOALS[category]}`),
      ...doubtful
        .map(({ id }) => lhr.audits[id])
        .filter((found) => found !== undefined && (found.score ?? 1) < 0.9)
        .map((found) => `${found?.title} ${found?.displayValue ?? ''}`),
    ],
  }
}

interface Requests {
  items: { url?: string; transferSize?: number; networkRequestTime?: number }[]
}
interface Metrics {
  items: { observedLoad?: number }[]
}

/**
 * A visitor's page works once it has loaded; the app comes 3 s later (renderer/visitor/visitor.ts).
 * In ms.
 */
const UNTIL_APP = 2500

function scriptBytes({
  'network-requests': requests,
  metrics,
}: Record<string, { details?: unknown }>): number {
  const load = (metrics?.details as Metrics | undefined)?.items[0]?.observedLoad
  if (load === undefined) throw new Error('Lighthouse does not say when the page had loaded')
  const scripts = ((requests?.details as Requests | undefined)?.items ?? []).filter(
    ({ url = '', networkRequestTime = 0 }) =>
      url.endsWith('.js') && networkRequestTime < load + UNTIL_APP,
  )
  return scripts.reduce((sum, { transferSize = 0 }) => sum + transferSize, 0)
}
