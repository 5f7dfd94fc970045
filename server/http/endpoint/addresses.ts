import { api, type Endpoint } from '../../contract'

/** Every call of the contract. */
export const endpoints = Object.values<Record<string, Endpoint>>(api).flatMap((calls) =>
  Object.values(calls),
)

/** Returns what matches the paths of these calls. */
export function pathsOf(calls: readonly Endpoint[]): RegExp {
  const patterns = calls.map(({ path }) => path.replace(/:\w+/g, '[^/]+').replace(/\*\w+$/, '.+'))
  return new RegExp(`^(${patterns.join('|')})$`)
}

const OUTSIDE = pathsOf(endpoints.filter(({ path }) => !path.startsWith('/api/')))

/**
 * Matches the paths of pages: all but those below /api, and of calls elsewhere, such as the address
 * of a file.
 */
export const PAGES = new RegExp(`^(?!/api(/|$)|${OUTSIDE.source.slice(1)})`)
