import type { Addresses } from './addresses'

interface Reached {
  addresses: Pick<Addresses, 'best'>
  bound: () => { port: number }
}

/** Returns the whole address of a link: the best one of this host, with a path. */
export const linkAddress = ({ addresses, bound }: Reached, path: string): string =>
  (addresses.best() ?? `http://127.0.0.1:${bound().port}`) + path
