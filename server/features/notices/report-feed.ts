import type Router from '@koa/router'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { parseInput, serveRaw } from '../../http/endpoint/serve'
import { sendDocument } from '../../http/send/send-document'
import { shareUrl } from '../../network/addresses'
import { escapeHtml } from '../../texts/format'
import { describeState } from '../../texts/report-view'
import { atomFeed } from '../feeds/formats'
import type { Entry } from '../feeds/entries'
import { reportPath, requireReporter, type OwnReport } from '../reports/reporter'

/** The feed of a report, at the secret address of its reporter. */
export function reportFeedRoute(
  router: Router,
  context: Rooms<'accounts' | 'files' | 'network' | 'projects'>,
): void {
  const { reportFeed: call } = api.notices
  serveRaw(router, call, (ctx, _caller, params) => {
    const { reportToken: token } = parseInput(call.input, params)
    const own = requireReporter(context, ctx, token)
    const feed = writeFeed(context, own, { token, origin: shareUrl(context.network, ctx).url })
    sendDocument(ctx, 'application/atom+xml; charset=utf-8', feed)
    return Promise.resolve()
  })
}

/** Writes an Atom feed of the answers of the team, and of how the report ended. */
function writeFeed(
  { accounts: { users } }: Rooms<'accounts'>,
  { report, project }: OwnReport,
  { token, origin }: { token: string; origin: string },
): string {
  const { id, replies, state, fixedIn, createdAt, updatedAt } = report
  const title = `Your report for ${project.title}`
  const pageUrl = origin + reportPath(token)
  const about = { url: pageUrl, files: [] }

  const answers = replies.flatMap(({ id: replyId, userId, text, createdAt: at }): Entry[] => {
    if (userId === undefined) return []
    const author = users.nameOf(userId)
    return [
      {
        ...about,
        id: `urn:slipway:reply:${replyId}`,
        title: `Answer of ${author}`,
        html: `<p>${escapeHtml(text).replaceAll('\n', '<br>')}</p>`,
        author,
        publishedAt: at,
        updatedAt: at,
      },
    ]
  })

  const owner = users.nameOf(project.ownerId)
  const isEnded = state === 'fixed' || state === 'closed'
  const end: Entry = {
    ...about,
    id: `urn:slipway:report:${id}:${state}:${encodeURIComponent(fixedIn ?? '')}`,
    title: describeState(state, fixedIn ?? null),
    html: '',
    author: owner,
    publishedAt: updatedAt,
    updatedAt,
  }

  return atomFeed({
    id: `urn:slipway:report:${id}`,
    title,
    summary: '',
    author: owner,
    pageUrl,
    url: `${pageUrl}/atom.xml`,
    updatedAt: replies.length > 0 || isEnded ? updatedAt : createdAt,
    entries: [...(isEnded ? [end] : []), ...answers.reverse()],
  })
}
