import type { ComponentType } from 'react'
import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { withBrand, type ErrorCode } from '../../contract'
import { AppError } from '../../core/errors'
import { once, render, type Html } from '../../http/pages/html'
import type { Page } from '../../http/pages/static-ui'
import { originAsked } from '../../http/pipeline/remote'
import type { LinkPasswords } from '../testers/link-passwords'
import type { NoticeProps } from '../../../renderer/visitor/parts/notice'

const loadFrame = once(() => import('../../../renderer/visitor/frame/frame'))
const loadNotice = once(() => import('../../../renderer/visitor/parts/notice'))

/** What header, banner and footer say of the host. */
type FramedBy = Pick<Rooms<'host'>['host'], 'version' | 'demo' | 'trouble'>

/**
 * Renders a page between header and footer. `isSignedIn`: the header leads to the app instead of
 * the login.
 */
export async function renderFramed<Props extends object>(
  { version, demo, trouble }: FramedBy,
  Page: ComponentType<Props>,
  props: Props,
  isSignedIn = false,
): Promise<Html> {
  const { FramedPage } = await loadFrame()
  const framed = { version, demo, trouble: trouble(), isSignedIn }
  return render(FramedPage<Props>, { ...framed, Page, props })
}

/** Renders a page with a single message. */
export async function renderNotice(host: FramedBy, notice: NoticeProps): Promise<Html> {
  const { Notice } = await loadNotice()
  return renderFramed(host, Notice, notice)
}

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
  const code = await findProblem(accounts.linkPasswords, ctx, lock)

  if (lock.passwordHash === undefined || ownerId === undefined) return endedPage(host, ctx)
  return code && passwordPage({ accounts, host }, ctx, code, { path, ownerId })
}

/** The page of a link that cannot be used, and of one that never existed. */
export const endedPage = async (host: Rooms<'host'>['host'], ctx: Context): Promise<Page> =>
  finalPage(ctx, 404, LINK_ENDED.title, await renderNotice(host, LINK_ENDED))

const LINK_ENDED = {
  title: 'This link has ended or never existed',
  text: 'Ask the person who sent it for a new one.',
}

/** The form for the password of a link. `code`: why the link does not open without it. */
export async function passwordPage(
  { accounts, host }: Rooms<'accounts' | 'host'>,
  ctx: Context,
  code: ErrorCode,
  { path, ownerId }: { path: string; ownerId: string },
): Promise<Page> {
  // The origin check of the form needs an origin, and a browser that sends no referrer sends none.
  ctx.set('Referrer-Policy', 'same-origin')

  const { PasswordPage } = await import('../../../renderer/visitor/tester/password-page')
  const form = await renderFramed(host, PasswordPage, {
    action: `${path}/unlock`,
    problem: PROBLEMS.get(code === 'bad_credentials' ? ctx.query['problem'] : code),
    sender: accounts.users.nameOf(ownerId),
  })

  const status = code === 'too_many_requests' ? 429 : code === 'busy' ? 503 : 403
  return finalPage(ctx, status, 'Password', form)
}

/** Messages by error codes, of the link or of the last password. */
const PROBLEMS = new Map<unknown, string>([
  ['bad_credentials', 'That password is wrong.'],
  // A share link, which does not say more.
  ['not_found', 'That password is wrong.'],
  ['invalid_input', 'Enter the password.'],
  ['too_many_requests', 'Too many wrong passwords. Try again in a few minutes.'],
  ['busy', 'The host is busy. Try again in a moment.'],
])

/** Returns why the password does not open the link. Undefined: it does. */
async function findProblem(
  linkPasswords: LinkPasswords,
  ctx: Context,
  lock: Lock,
): Promise<ErrorCode | undefined> {
  try {
    return (await linkPasswords.isProved(ctx, lock)) ? undefined : 'bad_credentials'
  } catch (cause) {
    if (cause instanceof AppError) return cause.code
    throw cause
  }
}
