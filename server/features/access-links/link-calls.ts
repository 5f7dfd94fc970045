import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { hashOfToken } from '../../access/link-token'
import { toNetwork } from '../../core/net/ip-address'
import type { AccessLink } from '../../data/records/fields'
import { linkAddress } from '../../network/link-address'
import { callerOf } from '../../http/endpoint/call'
import type { AccessLinks } from './access-links'

/** The link of a token as its password sees it: one that opens nothing has an unknown password. */
export const findLock = (token: string, link: Pick<AccessLink, 'passwordHash'> | undefined) => ({
  id: hashOfToken(token),
  passwordHash: link?.passwordHash,
})

/** Hashes the password of a link. Null and undefined stay. Throws `busy`. */
export const hashLinkPassword = async <None extends null | undefined>(
  { passwords }: Rooms<'accounts'>['accounts'],
  ctx: Context,
  password: string | None,
): Promise<string | None> =>
  typeof password === 'string'
    ? passwords.hash(password, toNetwork(callerOf(ctx).address))
    : password

/** What the owner of a share link or a file request sees of both. `pathOf`: the path of a token. */
export function presentLink<Link extends AccessLink>(
  { files, network }: Rooms<'files' | 'network'>,
  links: AccessLinks<Link, never>,
  link: Link,
  pathOf: (token: string) => string,
) {
  const token = links.tokenOf(link)

  return {
    name: link.name,
    url: token === undefined ? null : linkAddress(network, pathOf(token)),
    created_at: link.createdAt,
    expires_at: link.expiresAt,
    active: links.isActive(link),
    has_password: link.passwordHash !== null,
    last_used_at: files.counts.ofAccessLink(link.id).lastOpenedAt,
  }
}
