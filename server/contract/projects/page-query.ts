import { CHANNEL } from '../limits'

/** The orders of the public projects. `release`: by the newest file that visitors can download. */
export const PROJECT_ORDERS = ['newest', 'release', 'downloads', 'name'] as const
export type ProjectOrder = (typeof PROJECT_ORDERS)[number]

/** The query of the address of a project's page or of its list of releases. */
export interface PageQuery {
  channel: string | undefined
  /** Joins the notes of the versions above this one. */
  since: string | undefined
  /** Version that the visitor has, on the list of releases. */
  from: string | undefined
  page: number
}

/**
 * Reads the query of a project page without zod, which visitors would have to load. Ignores invalid
 * values.
 */
export function readPageQuery({ channel, since, from, page }: Record<string, unknown>): PageQuery {
  const number = Number(page)
  return {
    channel: typeof channel === 'string' && CHANNEL.test(channel) ? channel : undefined,
    since: readVersion(since),
    from: readVersion(from),
    page: Number.isInteger(number) && number >= 1 && number <= 100_000 ? number : 1,
  }
}

function readVersion(value: unknown): string | undefined {
  const version = typeof value === 'string' ? value.trim() : ''
  return version.length >= 1 && version.length <= 64 ? version : undefined
}
