import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { withBrand } from '../../contract'
import { AppError } from '../../core/errors'
import type { Html } from '../../http/pages/html'
import type { Page } from '../../http/pages/static-ui'
import { originAsked } from '../../http/pipeline/remote'
import type { LinkPasswords } from '../testers/link-passwords'
import { renderNotice } from './frame'
import { LINK_ENDED, renderPasswordPage } from './tester-page'

type Lock = Parameters<LinkPasswords['isProved']>[1]

/** A link that may be closed. */
interface Closable {
  /** Path of its page. */
  path: string
  lock: Lock
  /** The person who made it. Undefined: there is no such link. */
  ownerId: string | undefined
}

/** A page that no app replaces. */
export function finalPage(
  ctx: Context,
  status: Page['status'],
  title: string,
  content: Html,
): Page {
  const head = { title: withBrand(title), description: title, url: originAsked(ctx) + ctx.path }
  return { status, head, content, isFinal: true }
}

/**
 * Renders the page of a share link or file request that does not open. Undefined: it opens. A link
 * that cannot be used gets the page of a link that never existed; one with a password names
 * before it only who made it.
 */
export async function closedPage(
  { accounts, host }: Rooms<'accounts' | 'host'>,
  ctx: Context,
  { path, lock, ownerId }: Closable,
): Promise<Page | undefined> {
  const problem = await findProblem(accounts.linkPasswords, ctx, lock)

  if (lock.passwordHash === undefined || ownerId === undefined)
    return finalPage(ctx, 404, LINK_ENDED.title, await renderNotice(host, LINK_ENDED))
  if (problem === undefined) return undefined
  const status = problem === 'too_many_requests' ? 429 : problem === 'busy' ? 503 : 403
  const form = await renderPasswordPage(host, ctx, {
    action: `${path}/unlock`,
    problem,
    sender: accounts.users.nameOf(ownerId),
  })
  return finalPage(ctx, status, 'Password', form)
}

/** Returns why the password does not open the link; an empty text: it was not entered. */
async function findProblem(
  linkPasswords: LinkPasswords,
  ctx: Context,
  lock: Lock,
): Promise<string | undefined> {
  try {
    const isProved = await linkPasswords.isProved(ctx, lock)
    return isProved ? undefined : String(ctx.query['problem'] ?? '')
  } catch (cause) {
    if (cause instanceof AppError) return cause.code
    throw cause
  }
}
