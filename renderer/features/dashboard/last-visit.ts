export interface Visit {
  /** ISO 8601. */
  at: string
  downloads: number
  views: number
}

export interface Visits {
  before: Visit | undefined
  latest: Visit
}

/** A return within this time is the same visit. */
const SAME_VISIT_MS = 30 * 60_000

export function noteVisit(noted: Visits | undefined, now: Visit): Visits {
  if (!noted) return { before: undefined, latest: now }
  const isSame = Date.parse(now.at) - Date.parse(noted.latest.at) < SAME_VISIT_MS
  return { before: isSame ? noted.before : noted.latest, latest: now }
}

/** Changes since the previous visit, at least 0: deleted projects lower the totals. */
export function newsSince(before: Visit | undefined, now: Pick<Visit, 'downloads' | 'views'>) {
  if (!before) return undefined
  const more = (name: 'downloads' | 'views') => Math.max(0, now[name] - before[name])
  return { downloads: more('downloads'), views: more('views') }
}
