import type { Context } from 'koa'
import { VISITOR } from '../../access/actor'
import { linkEnded } from '../../access/link-ended'
import type { Rooms } from '../../compose/context'
import { AppError, notFound } from '../../core/errors'
import type { ProjectRecord } from '../../data/records/project-records'
import type { ReportRecord } from '../../data/records/report-records'
import { callerOf, type Caller } from '../../http/endpoint/call'
import { enterProject, type Audience } from '../releases/audience'
import { projectPolicy, takesReports } from '../projects/policy'
import { requireTesterLink, testerAudience } from '../testers/tester-audience'

type Deps = Rooms<'accounts' | 'files' | 'projects'>

/** Where a person reports: the address of a project by which they see it. */
export interface Door {
  audience: Audience
  testerId?: string
}

/** The path of the private page of a report. */
export const reportPath = (token: string): string => `/r/${encodeURIComponent(token)}`

/** Enters a public project that takes reports. Throws `not_found`, as for a project that is not. */
export function enterAsVisitor(context: Deps, idOrSlug: string): Door {
  const project = context.projects.store.find(idOrSlug)
  const found = projectPolicy.require(VISITOR, 'read', project)
  if (!takesReports(found, false)) throw notFound('Project')
  return { audience: enterProject(context, VISITOR, found) }
}

/**
 * Enters a project that takes reports by a tester link. Throws `not_found`, as for a link that
 * never existed, and what its password throws.
 */
export async function enterAsTester(context: Deps, ctx: Context, token: string): Promise<Door> {
  const { project } = requireTesterLink(context, token)
  if (!takesReports(project, true)) throw linkEnded()
  const audience = await testerAudience(context, ctx, token)
  return { audience, testerId: audience.link.id }
}

/** A report with its project, for its reporter. */
export interface OwnReport {
  report: ReportRecord
  project: ProjectRecord
}

/**
 * Finds the report of a secret address. Undefined for an unknown one, and while its project is
 * deleted or its owner disabled.
 */
export function findOwnReport(
  { accounts, projects }: Rooms<'accounts' | 'projects'>,
  token: string,
): OwnReport | undefined {
  const report = projects.reports.opened(token)
  const project = report && projects.store.find(report.projectId)
  if (!report || project?.id !== report.projectId) return undefined
  return accounts.users.isActive(project.ownerId) ? { report, project } : undefined
}

/** Makes the reporter of a report the caller. Throws `not_found`. */
export function requireReporter(context: Deps, ctx: Context, token: string): OwnReport {
  const own = findOwnReport(context, token)
  if (!own) throw linkEnded()

  const actor = { kind: 'sender', linkId: own.report.id } as const
  const holds = () => findOwnReport(context, token) !== undefined
  ctx.state.caller = { ...callerOf(ctx), actor, holds } satisfies Caller
  return own
}

/** For reporters: it names neither the storage of the owner nor its use. */
export const noRoomForReport = (): AppError =>
  new AppError('quota_exceeded', 'There is no room for more. Ask the people of the project', 'file')
