import { takesReports } from '../projects/policy'
import type { Context } from 'koa'
import { newLinkToken } from '../../access/link-token'
import type { Rooms } from '../../compose/context'
import {
  api,
  REPORT_FILES_MAX,
  REPORT_MAX,
  RESUMABLE_UPLOADS,
  type ReportDevice,
} from '../../contract'
import { matchRoute, routes } from '../../contract/routes'
import { once } from '../../http/pages/html'
import type { Page } from '../../http/pages/static-ui'
import { userAgentOf } from '../../http/pipeline/remote'
import type { ReportFormView } from '../../texts/report-view'
import { findVisitorAudience, type Audience } from '../releases/audience'
import { sealForm } from '../reports/open-form'
import { largestAttachment } from '../reports/report-room'
import { describeReporter } from '../reports/reporter-device'
import { finalPage, renderFramed, renderNotice } from './frame'

type Deps = Rooms<'accounts' | 'data' | 'files' | 'host' | 'projects'>

const loadPage = once(() => import('../../../renderer/visitor/report/report-form-page'))

/** The most versions to choose from. */
const MOST_VERSIONS = 50

/**
 * Renders the form of a report. Returns undefined if this audience cannot report. `builds`: of a
 * preview, in place of versions.
 */
export async function reportFormPage(
  context: Deps,
  ctx: Context,
  audience: Audience,
  builds?: readonly string[],
): Promise<Page | undefined> {
  const { project, base, actor, view: seen } = audience
  if (!takesReports(project, actor.kind === 'tester')) return undefined

  // The origin check of the form needs an origin.
  ctx.set('Referrer-Policy', 'same-origin')
  const versions =
    builds ?? seen.published.slice(0, MOST_VERSIONS).map(({ release }) => release.version)
  const asked = ctx.query['version']
  const secret = newLinkToken()
  const opened =
    actor.kind === 'tester' &&
    sealForm(context, { projectId: project.id, testerId: actor.linkId, key: secret })

  const view: ReportFormView = {
    title: project.title,
    back: base,
    form: `${base}/reports${opened ? `?form=${opened}` : ''}`,
    secret,
    uploads: uploadsOf(secret),
    versions,
    version: versions.find((version) => version === asked) ?? versions[0] ?? '',
    facts: presentFacts(describeReporter(userAgentOf(ctx), ctx.get('accept-language'))),
    largest: largestAttachment(context),
    chunk: RESUMABLE_UPLOADS.chunk,
    most: REPORT_FILES_MAX,
    longest: REPORT_MAX,
    problem: problemOf(ctx.query['problem']),
  }

  const { ReportFormPage } = await loadPage()
  const content = await renderFramed(context.host, ReportFormPage, { view })
  const page = finalPage(ctx, 200, `Report a problem with ${project.title}`, content)
  return { ...page, hasScript: true }
}

/**
 * Renders the form on the page of a public project. Returns undefined at other addresses. A project
 * that takes no reports gets the page of one that does not exist.
 */
export const publicReportPage =
  (context: Deps) =>
  async (ctx: Context): Promise<Page | undefined> => {
    const slug = matchRoute(routes.report, ctx.path)?.slug
    if (slug === undefined) return undefined

    const audience = findVisitorAudience(context, slug)
    const form = audience && (await reportFormPage(context, ctx, audience))
    return form ?? finalPage(ctx, 404, NOTHING.title, await renderNotice(context.host, NOTHING))
  }

const NOTHING = {
  title: 'Page not found',
  text: 'This project takes no reports, or does not exist.',
}

/** The path at which resumable uploads to a report begin. */
export const uploadsOf = (token: string) =>
  api.reports.startUpload.path.replace(':reportToken', encodeURIComponent(token))

/** Lists what is known of the device of a reporter. */
export function presentFacts({
  system,
  model,
  browser,
  language,
}: { [Name in keyof ReportDevice]?: ReportDevice[Name] | undefined }) {
  const facts = [
    ['System', system],
    ['Device', model],
    ['Browser', browser],
    ['Language', language],
  ] as const
  return facts.flatMap(([name, value]) => (value ? [[name, value] as const] : []))
}

/** Returns the message of an error code in the query. */
export const problemOf = (code: unknown): string | null =>
  code === undefined ? null : (PROBLEMS.get(code) ?? 'It was not sent. Try again.')

/** Messages of the forms by the error code in the query. */
const PROBLEMS = new Map<unknown, string>([
  ['file_missing', 'Choose a file that is not empty.'],
  ['invalid_input', 'A text is missing or too long, or a picture could not be read.'],
  ['unsupported_media_type', 'A picture could not be read. Send it as PNG or JPEG.'],
  ['too_large', 'A file is too large.'],
  ['quota_exceeded', 'There is no room for more. Ask the project team.'],
  ['too_many_records', 'There are too many files or answers.'],
  ['too_many_requests', 'Too many reports came from your network. Try again in an hour.'],
  ['disk_full', 'The host has no room for it.'],
])
