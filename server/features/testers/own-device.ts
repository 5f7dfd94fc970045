import type { Context } from 'koa'
import { hashOfToken } from '../../access/link-token'
import { DAY_MS } from '../../core/clock'
import type { TesterRecord } from '../../data/records/project-records'
import { remoteOf } from '../../http/pipeline/remote'

const COOKIE = 'slipway-device'
/** Apple's profiles are valid for a year. */
const COOKIE_MS = 365 * DAY_MS

type Owned = NonNullable<TesterRecord['devices']>[number]
/** The part of an audience that has devices. */
interface Place {
  link: Pick<TesterRecord, 'devices'>
  base: string
}

/** The address where the browser of a device learns which device it is on. `page`: of the link. */
export const addedAddress = (page: string, udid: string): string =>
  `${page}?device=${hashOfToken(udid)}`

/**
 * Finds the device that a browser is on, among those of its link. The address to which the device
 * itself was sent leaves a cookie: browsers know no identifiers.
 */
export function findOwnDevice(ctx: Context, { link, base }: Place): Owned | undefined {
  const find = (hash: unknown) => link.devices?.find(({ udid }) => hashOfToken(udid) === hash)

  const added = find(ctx.query['device'])
  if (!added) return find(ctx.cookies.get(COOKIE))

  ctx.cookies.secure = remoteOf(ctx).protocol === 'https'
  const only = { path: base, httpOnly: true, sameSite: 'lax', signed: false } as const
  ctx.cookies.set(COOKIE, hashOfToken(added.udid), { ...only, maxAge: COOKIE_MS })
  return added
}
