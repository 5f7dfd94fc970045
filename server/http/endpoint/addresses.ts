import { api, type Endpoint } from '../../contract'

/** Every call of the contract. */
export const endpoints = Object.values<Record<string, Endpoint>>(api).flatMap((calls) => Object.values(calls))

/** Matches the paths of a call. */
export const pathOf = ({ path }: Endpoint): RegExp => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`)

const OUTSIDE = endpoints.filter(({ path }) => !path.startsWith('/api/')).map(pathOf)

/** Whether a path belongs to the calls: below /api, or the address of a file outside. All others are pages. */
export const isCall = (path: string): boolean =>
  /^\/api(\/|$)/.test(path) || OUTSIDE.some((address) => address.test(path))
