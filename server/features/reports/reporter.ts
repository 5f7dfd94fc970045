import type { Context } from 'koa'
import { VISITOR, type Actor } from '../../access/actor'
import { linkEnded } from '../../access/link-ended'
import type { Rooms } from '../../compose/context'
import { AppError, forbidden, notFound } from '../../core/errors'
import type { ProjectRecord } from '../../data/records/project-records'
import type { ReportRecord } from '../../data/records/report-records'
import { callerOf, type Caller } from '../../http/endpoint/call'
import { findLiveProject } from '../projects/live-project'
import { projectPolicy, reportChoicesOf, takesReports } from '../projects/policy'
import {
  previewAudience,
  requireTesterLink,
  testerAudience,
  testerLinkEnded,
} from '../testers/tester-audience'
import { readForm } from './open-form'

type Deps = Rooms<'accounts' | 'files' | 'projects'>

/** Where a report comes in. */
export interface Door {
  project: ProjectRecord
  /** The tester link or preview. */
  testerId?: string
  isFromApp?: true
  /** The only key that a report may have. */
  onlyKey?: string
}

/** The path of the private page of a report. */
export const reportPath = (token: string): string => `/r/${encodeURIComponent(token)}`

/** Enters a public project that takes reports. Throws `not_found`, as for a project that is not. */
export function enterAsVisitor(context: Deps, idOrSlug: string): Door {
  const project = context.projects.store.find(idOrSlug)
  const found = projectPolicy.require(VISITOR, 'read', project)
  if (!takesReports(found, false) || !isOpen(context, found)) throw notFound('Project')
  return { project: found }
}

/** Enters a project as an app with an API key. Throws `not_found` and `forbidden`. */
export function enterAsApp(context: Deps, actor: Actor, idOrSlug: string): Door {
  const { projects } = context
  const project = projectPolicy.require(actor, 'reports', projects.store.find(idOrSlug))
  if (!isOpen(context, project)) throw notFound('Project')
  if (reportChoicesOf(project).reporters === 'off')
    throw forbidden('report: this project takes none')
  const isKey = actor.kind === 'user' && actor.credential === 'api-key'
  return { project, ...(isKey && { isFromApp: true }) }
}

/**
 * Enters a project that takes reports by a tester link or a preview. Throws `not_found`, as for a
 * link that never existed, and what its password throws.
 */
export async function enterAsTester(
  context: Deps & Rooms<'data' | 'host'>,
  ctx: Context,
  token: string,
): Promise<Door> {
  const preview = previewAudience(context, token)
  if (preview)
    return requireTaking(context, { project: preview.project, testerId: preview.preview.id })

  const late = context.projects.testers.current(token) ? undefined : enterLate(context, ctx)
  if (late) return requireTaking(context, late)

  requireTaking(context, requireTesterLink(context, token))
  const { project, link } = await testerAudience(context, ctx, token)
  return { project, testerId: link.id }
}

/** Enters by a form that was opened before its link ended. */
function enterLate(context: Deps & Rooms<'data' | 'host'>, ctx: Context): Door | undefined {
  const form = readForm(context, ctx.query['form'])
  const project = form && context.projects.store.find(form.projectId)
  return project && { project, testerId: form.testerId, onlyKey: form.key }
}

/** Throws `not_found` for another report than the one of a form that was open. */
export function requireKey({ onlyKey }: Door, key: string | null | undefined): void {
  if (onlyKey !== undefined && key !== onlyKey) throw testerLinkEnded()
}

/** While the owner is disabled, the page of a report opens nothing. */
const isOpen = ({ accounts }: Deps, { ownerId }: ProjectRecord): boolean =>
  accounts.users.isActive(ownerId)

function requireTaking<Of extends Pick<Door, 'project'>>(context: Deps, door: Of): Of {
  if (!takesReports(door.project, true) || !isOpen(context, door.project)) throw testerLinkEnded()
  return door
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
  rooms: Rooms<'accounts' | 'projects'>,
  token: string,
): OwnReport | undefined {
  const report = rooms.projects.reports.opened(token)
  const project = findLiveProject(rooms, report?.projectId)
  return report && project && { report, project }
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
  new AppError('quota_exceeded', 'There is no room for more. Ask the project team', 'file')
