import type { Rooms } from '../../compose/context'

/** Returns the whole address of a link: the best one of this host, with a path. */
export const linkAddress = ({ addresses, bound }: Rooms<'network'>['network'], path: string) =>
  (addresses.best() ?? `http://127.0.0.1:${bound().port}`) + path
