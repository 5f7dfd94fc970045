import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { once } from '../../http/pages/html'
import type { TesterRecord } from '../../data/records/project-records'
import type { Page } from '../../http/pages/static-ui'
import { originAsked } from '../../http/pipeline/remote'
import { isTrustworthy } from '../../http/pipeline/security-headers'
import type { NotifyView } from '../../../renderer/visitor/notices/notify'
import { findOwnDevice } from '../testers/own-device'
import type { TesterAudience } from '../testers/tester-audience'
import { isConfirmed } from '../notices/subscriber-store'
import { describeSubscriber, wishTexts } from '../notices/write-notice'
import { endedPage, finalPage, renderFramed, renderNotice } from './frame'

type Deps = Rooms<'accounts' | 'host' | 'notices' | 'projects'>

const loadNotify = once(() => import('../../../renderer/visitor/notices/notify'))
const loadPage = once(() => import('../../../renderer/visitor/notices/notice-page'))

/** The page of the links in notices, and the confirmation that they have ended. */
const PATTERN = /^\/n\/([^/]+)(?:\/(ended))?\/?$/

/** Renders the page of the links in notices. Returns undefined at other addresses. */
export const noticePage =
  (context: Deps) =>
  async (ctx: Context): Promise<Page | undefined> => {
    const [, token, ended] = PATTERN.exec(ctx.path) ?? []
    if (token === undefined) return undefined
    // The same for each address: what has ended leaves nothing.
    if (ended !== undefined)
      return finalPage(ctx, 200, ENDED.title, await renderNotice(context.host, ENDED))

    const subscriber = context.notices.subscribers.byToken(token)
    const described = subscriber && describeSubscriber(subscriber, context)
    if (!subscriber || !described) return endedPage(context.host, ctx)

    // The origin check of the form needs an origin.
    ctx.set('Referrer-Policy', 'same-origin')
    const path = `/n/${encodeURIComponent(token)}`
    const { way } = subscriber
    const view = {
      ...described,
      place: way.kind === 'mail' ? hideAddress(way.address) : null,
      isOn: isConfirmed(subscriber),
      page: isConfirmed(subscriber)
        ? (context.notices.subscribers.linksOf(subscriber)?.page ?? null)
        : null,
      confirm: `${path}/confirm`,
      end: `${path}/end`,
    }
    const { headingOf, NoticePage } = await loadPage()
    const content = await renderFramed(context.host, NoticePage, { view })
    return finalPage(ctx, 200, headingOf(view), content)
  }

interface NotifyAbout {
  /** Of the page. */
  path: string
  /** The path of its feed; null: none. */
  feed: string | null
  about: string
  /** What the form suggests. */
  email?: string | undefined
}

/**
 * What a page shows by which a person asks for notices. With `push` the page needs its script, and
 * browsers offer that on trustworthy pages only.
 */
export const presentNotify = (
  { notices: { mailer, pusher } }: Rooms<'notices'>,
  ctx: Context,
  { path, feed, about, email = '' }: NotifyAbout,
): NotifyView => {
  // The origin check of its form needs an origin.
  if (mailer.isOn()) ctx.set('Referrer-Policy', 'same-origin')

  const code = ctx.query['notices']
  const isMailed = code === 'mailed'

  return {
    about,
    form: mailer.isOn() ? `${path}/subscribers` : null,
    email,
    push: isTrustworthy(ctx) ? { path: `${path}/push`, key: pusher.vapid.publicKey } : null,
    feed: feed === null ? null : originAsked(ctx) + feed,
    message: isMailed ? 'An email is on its way, unless this address gets them already.' : null,
    problem: code === undefined || isMailed ? null : (PROBLEMS.get(code) ?? UNKNOWN),
  }
}

/** What the page of a tester link says of the link, and how its testers hear of releases. */
export async function presentTester(
  context: Rooms<'notices'>,
  ctx: Context,
  { link, base, programBase }: TesterAudience,
) {
  const { NotifyFolded } = await loadNotify()
  const feed = `${programBase}/feeds/atom.xml`
  const view = presentNotify(context, ctx, { path: base, feed, about: wishTexts.tester })
  return {
    name: link.name,
    until: link.expiresAt,
    notify: { Form: NotifyFolded, view },
    kept: presentKept(link, base, findOwnDevice(ctx, { link, base })),
  }
}

/** What the host keeps of a tester, for the tester. Others may share the link. */
const presentKept = (
  { took = [], asked, devices = [] }: TesterRecord,
  base: string,
  own: { model: string; at: string } | undefined,
) => ({
  took,
  device: own && { model: own.model, at: own.at },
  hasOthers: devices.length > (own ? 1 : 0),
  said: [asked?.email ?? '', asked?.note ?? ''].filter((text) => text !== ''),
  forget: `${base}/forget`,
})

const UNKNOWN = 'The address was not saved. Try again.'

/** Messages of the form by the error code in the query. */
const PROBLEMS = new Map<unknown, string>([
  ['invalid_input', 'Enter a valid email address.'],
  ['not_supported', 'This host sends no email.'],
  ['too_many_records', 'This project has as many subscribers as it may. Use the feed instead.'],
  ['too_many_requests', 'Too many addresses came from your network. Try again in an hour.'],
])

const ENDED = {
  title: 'These messages have stopped',
  text: 'Nothing more is sent. You can close this page.',
}

/** `kim@example.org` as `k…@example.org`: the link may be forwarded. */
const hideAddress = (address: string): string => address.replace(/^(.)[^@]*/, '$1…')
