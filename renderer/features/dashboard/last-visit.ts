/** What a person had at a moment. */
export interface Visit {
  /** ISO 8601. */
  at: string
  downloads: number
  views: number
}

export interface Visits {
  /** The visit before this one: what happened since is news. */
  before: Visit | undefined
  latest: Visit
}

/** Coming back within this time is the same visit. */
const SAME_VISIT_MS = 30 * 60_000

/** Notes what is there now. A visit that is long over becomes the one before. */
export function noteVisit(noted: Visits | undefined, now: Visit): Visits {
  if (!noted) return { before: undefined, latest: now }
  const isSame = Date.parse(now.at) - Date.parse(noted.latest.at) < SAME_VISIT_MS
  return { before: isSame ? noted.before : noted.latest, latest: now }
}

/** What came since the visit before. Deleted projects take their numbers along, so never less than nothing. */
export function newsSince(before: Visit | undefined, now: Pick<Visit, 'downloads' | 'views'>) {
  if (!before) return undefined
  const more = (name: 'downloads' | 'views') => Math.max(0, now[name] - before[name])
  return { downloads: more('downloads'), views: more('views') }
}
