import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { REPLY_MAX, REPORT_FILES_MAX, REPORT_REPLIES_MAX, RESUMABLE_UPLOADS } from '../../contract'
import { fillRoute, routes } from '../../contract/routes'
import { once } from '../../http/pages/html'
import type { Page } from '../../http/pages/static-ui'
import { releaseAddress } from '../../texts/release-address'
import type { OwnReportView } from '../../texts/report-view'
import { findVisitorAudience } from '../releases/audience'
import { largestAttachment } from '../reports/report-room'
import { findOwnReport, reportPath, type OwnReport } from '../reports/reporter'
import { wishTexts } from '../notices/write-notice'
import { endedPage, finalPage, renderFramed } from './frame'
import { presentNotify } from './notice-page'
import { presentFacts, problemOf, uploadsOf } from './report-form'

type Deps = Rooms<'accounts' | 'data' | 'files' | 'host' | 'notices' | 'projects'>

const loadPage = once(() => import('../../../renderer/visitor/report/own-report-page'))

/** The path of the page of a reporter. */
const PATTERN = /^\/r\/([^/]+)\/?$/

/** Renders the private page of a report. Returns undefined at other addresses. */
export const ownReportPage =
  (context: Deps) =>
  async (ctx: Context): Promise<Page | undefined> => {
    const token = PATTERN.exec(ctx.path)?.[1]
    if (token === undefined) return undefined

    const own = findOwnReport(context, token)
    if (!own) return endedPage(context.host, ctx)

    ctx.set('Referrer-Policy', 'same-origin')
    const path = reportPath(token)
    const notify = presentNotify(context, ctx, {
      path,
      feed: `${path}/atom.xml`,
      about: wishTexts.report,
    })
    const view = presentOwn(context, own, token, ctx.query['problem'])
    const { OwnReportPage } = await loadPage()
    const content = await renderFramed(context.host, OwnReportPage, { view, notify })
    return {
      ...finalPage(ctx, 200, `Your report for ${own.project.title}`, content),
      hasScript: true,
    }
  }

function presentOwn(
  context: Deps,
  { report, project }: OwnReport,
  token: string,
  problem: unknown,
): OwnReportView {
  const { users } = context.accounts
  const { device, attachments, replies, fixedIn } = report
  const path = reportPath(token)
  const audience = findVisitorAudience(context, project.slug)
  const isOffered = fixedIn !== undefined && audience?.view.findRelease(fixedIn) !== undefined

  return {
    title: project.title,
    project: audience ? fillRoute(routes.publicProject, { slug: project.slug }) : null,
    kind: report.kind,
    text: report.text,
    version: report.version ?? null,
    state: report.state,
    fixedIn: fixedIn ?? null,
    fix: audience && isOffered ? releaseAddress(audience.base, fixedIn) : null,
    sentAt: report.createdAt,
    facts: presentFacts(device),
    files: attachments.map(({ filename, size }) => ({ name: filename, size })),
    replies: replies.map(({ userId, text, createdAt }) => ({
      by: userId === undefined ? null : users.nameOf(userId),
      text,
      at: createdAt,
    })),
    answer: replies.length < REPORT_REPLIES_MAX ? `${path}/replies` : null,
    addFile: attachments.length < REPORT_FILES_MAX ? `${path}/files` : null,
    uploads: uploadsOf(token),
    largest: largestAttachment(context),
    chunk: RESUMABLE_UPLOADS.chunk,
    longest: REPLY_MAX,
    problem: problemOf(problem),
    now: context.host.sources.now(),
  }
}
