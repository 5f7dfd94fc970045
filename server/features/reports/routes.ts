import type Router from '@koa/router'
import { userIdOf, type Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api, type ReportKind, type ReportState } from '../../contract'
import { notFound } from '../../core/errors'
import type { ReportRecord } from '../../data/records/report-records'
import { parseInput, serve, serveRaw } from '../../http/endpoint/serve'
import { projectPolicy, reportChoicesOf } from '../projects/policy'
import { presentListedReports, presentReport, presentReportSettings } from './presenter'
import { reporterRoutes } from './reporter-routes'
import { writeReportsCsv } from './reports-csv'

type Deps = Rooms<
  | 'accounts'
  | 'attachments'
  | 'data'
  | 'files'
  | 'host'
  | 'network'
  | 'notices'
  | 'projects'
  | 'transfers'
>

/** Reports: reporters send and answer; the team of a project reads, answers and closes them. */
export function reportRoutes(router: Router, context: Deps): void {
  readRoutes(router, context)
  changeRoutes(router, context)
  settingsRoute(router, context)
  reporterRoutes(router, context)
}

interface Filters {
  state?: ReportState | undefined
  kind?: ReportKind | undefined
  version?: string | undefined
  signature?: string | undefined
}

/** Selects the reports that match. */
const selectReports = (reports: readonly ReportRecord[], filters: Filters) => {
  const { state, kind, version, signature } = filters
  return reports.filter(
    (report) =>
      (state === undefined || report.state === state) &&
      (kind === undefined || report.kind === kind) &&
      (version === undefined || report.version === version) &&
      (signature === undefined || report.signature === signature),
  )
}

/** Selects the first report of each group, and all without one. */
function foldGroups(reports: readonly ReportRecord[]): ReportRecord[] {
  const seen = new Set<string>()
  return reports.filter(({ signature }) => {
    if (signature === undefined) return true
    const isFirst = !seen.has(signature)
    seen.add(signature)
    return isFirst
  })
}

const requireProject = ({ projects }: Rooms<'projects'>, actor: Actor, id: string) =>
  projectPolicy.require(actor, 'reports', projects.store.find(id))

function readRoutes(router: Router, context: Deps): void {
  const { reports } = context.projects

  serve(router, api.reports.list, ({ actor, input }) => {
    const project = requireProject(context, actor, input.id)
    context.notices.digests.noteLook(actor, 'report', project.id)
    const all = reports.ofProject(project.id)
    const selected = selectReports(all, input)
    const matching = input.signature === undefined ? foldGroups(selected) : selected
    const { offset, limit } = input

    return {
      reports: presentListedReports(context, matching.slice(offset, offset + limit)),
      total: matching.length,
      by_state: countStates(all),
      by_version: countVersions(all),
      settings: presentReportSettings(context.projects, project),
    }
  })

  serve(router, api.reports.get, ({ actor, input }) => {
    const project = requireProject(context, actor, input.id)
    const report = reports.require(project.id, input.reportId)
    return { report: presentReport(context, project, report) }
  })

  serveRaw(router, api.reports.csv, async (ctx, { actor }, params) => {
    const input = parseInput(api.reports.csv.input, { ...ctx.query, ...params })
    const project = requireProject(context, actor, input.id)
    const selected = selectReports(reports.ofProject(project.id), input)

    await context.transfers.delivery.sendWritten(
      ctx,
      Buffer.from(writeReportsCsv(context, selected)),
      {
        filename: `reports-of-${project.slug}.csv`,
        type: 'text/csv; charset=utf-8',
        modifiedAt: selected[0]?.updatedAt ?? project.createdAt,
      },
    )
  })

  serveRaw(router, api.reports.file, async (ctx, { actor }, params) => {
    const { id, reportId, attachmentId } = parseInput(api.reports.file.input, params)
    const project = requireProject(context, actor, id)
    const report = reports.require(project.id, reportId)
    const file = report.attachments.find((it) => it.id === attachmentId)
    if (!file) throw notFound('File')

    const { filename, size, sha256, blobId, isPicture, addedAt: modifiedAt } = file
    await context.transfers.delivery.sendPart(ctx, blobId, {
      ...{ filename, size, sha256, modifiedAt, offset: 0, tag: sha256, keeping: 'private' },
      type: isPicture ? 'image/webp' : 'application/octet-stream',
    })
  })
}

function changeRoutes(router: Router, context: Deps): void {
  const { reports } = context.projects
  const { audit } = context.accounts

  serve(router, api.reports.update, async ({ actor, input, ctx }) => {
    const project = requireProject(context, actor, input.id)
    const { reportId, state, fixed_in } = input
    const fixedIn = state === 'fixed' ? fixed_in || undefined : undefined
    const report = await reports.setState(project.id, reportId, state, fixedIn)

    const detail = fixedIn === undefined ? state : `${state} in ${fixedIn}`
    audit.record(ctx, { kind: 'report_change', subject: project.title, detail })
    return { report: presentReport(context, project, report) }
  })

  serve(router, api.reports.reply, async ({ actor, input, ctx }) => {
    const project = requireProject(context, actor, input.id)
    const { id } = reports.require(project.id, input.reportId)
    const report = await reports.reply(id, input.text, userIdOf(actor))

    audit.record(ctx, { kind: 'report_reply', subject: project.title })
    return { report: presentReport(context, project, report) }
  })

  serve(router, api.reports.remove, async ({ actor, input, ctx }) => {
    const { id, title } = requireProject(context, actor, input.id)
    await reports.remove(id, input.reportId)

    audit.record(ctx, { kind: 'report_delete', subject: title })
    return {}
  })
}

function settingsRoute(router: Router, context: Deps): void {
  const { store } = context.projects
  serve(router, api.reports.configure, async ({ actor, input, ctx }) => {
    const { id } = projectPolicy.require(actor, 'update', store.find(input.id))
    const { reporters, room, file_days: fileDays } = input
    const project = await store.update(id, (now) => ({
      reports: {
        ...reportChoicesOf(now),
        reporters,
        ...(room !== undefined && { room }),
        ...(fileDays !== undefined && { fileDays }),
      },
    }))

    const kind = 'report_settings'
    context.accounts.audit.record(ctx, { kind, subject: project.title, detail: reporters })
    return { settings: presentReportSettings(context.projects, project) }
  })
}

function countStates(reports: readonly ReportRecord[]) {
  const counts: Record<ReportState, number> = { new: 0, open: 0, fixed: 0, closed: 0 }
  for (const { state } of reports) counts[state]++
  return counts
}

/** The most versions that a list names. */
const MOST_VERSIONS = 200

function countVersions(reports: readonly ReportRecord[]) {
  const versions = new Map<string, { version: string; reports: number; fixed: number }>()
  for (const { version, state } of reports) {
    if (version === undefined) continue
    const counted = versions.get(version) ?? { version, reports: 0, fixed: 0 }
    counted.reports++
    if (state === 'fixed') counted.fixed++
    versions.set(version, counted)
  }
  return [...versions.values()].slice(0, MOST_VERSIONS)
}
