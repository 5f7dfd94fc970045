import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import type { FileRecord, ShareLinkRecord } from '../../data/records/file-records'
import { callerOf, type Caller } from '../../http/endpoint/call'
import { isCrawler } from '../../http/pipeline/remote'
import { linkEnded } from '../../access/link-ended'
import { findLock } from '../access-links/link-calls'

type Deps = Rooms<'accounts' | 'files' | 'transfers'>

/** An opened share link, with its file. */
export interface SharedFile {
  link: ShareLinkRecord
  file: FileRecord
}

/** The path of the page of a share link. */
export const sharePath = (token: string): string => `/s/${encodeURIComponent(token)}`

/**
 * Finds a share link that a visitor may use, before its password. Returns undefined for a link that
 * is unknown, has ended, or has no download left for this visitor, and if its file was deleted or
 * has another owner.
 */
export function findShared(
  { files, transfers }: Rooms<'files' | 'transfers'>,
  token: string,
  visitor: string,
): SharedFile | undefined {
  const link = files.shareLinks.current(token)
  const file = link && files.store.find(link.fileId)
  if (!link || file?.ownerId !== link.ownerId) return undefined
  return transfers.limitedDownloads.isOpenTo(link, visitor) ? { link, file } : undefined
}

/** The holder of the tickets of a share link: they end with its address and its password. */
export const ticketHolder = (token: string, { id, passwordHash }: ShareLinkRecord) => ({
  base: sharePath(token),
  project: { id },
  channel: '',
  seal: passwordHash,
})

/**
 * Makes the recipient of a share link the caller of a request. Throws `not_found`, the same for a
 * missing or wrong password, `too_many_requests` and `busy`. Programs that preview links get
 * nothing: a limit must not count them.
 */
export async function requireShared(
  context: Deps,
  ctx: Context,
  token: string,
): Promise<SharedFile> {
  const { visitor } = callerOf(ctx)
  const found = isCrawler(ctx) ? undefined : findShared(context, token, visitor)
  if (!(await context.accounts.linkPasswords.isProved(ctx, findLock(token, found?.link))))
    throw linkEnded()

  // The link can end during the check.
  return actAsRecipient(context, ctx, token)
}

/**
 * Makes the recipient of a share link the caller of a request that has another proof than the
 * password. Throws `not_found`.
 */
export function actAsRecipient(
  context: Rooms<'files' | 'transfers'>,
  ctx: Context,
  token: string,
): SharedFile {
  const shared = findShared(context, token, callerOf(ctx).visitor)
  if (!shared) throw linkEnded()

  const { link, file } = shared
  const { shareLinks, store } = context.files
  const holds = () => shareLinks.holds(link) && store.find(link.fileId)?.ownerId === link.ownerId
  const actor = { kind: 'recipient', linkId: link.id, fileId: file.id } as const
  ctx.state.caller = { ...callerOf(ctx), actor, holds } satisfies Caller

  return shared
}
