import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { AppError } from '../../core/errors'
import { callerOf, type Caller } from '../../http/endpoint/call'
import { ProjectView } from '../projects/project-view'
import type { Audience } from '../releases/audience'
import { PREVIEW_CHANNEL, PreviewView } from '../previews/preview-view'
import type { PreviewRecord, TesterRecord } from '../../data/records/project-records'
import { nameBuild } from '../../texts/preview-view'
import { withProgramKey } from './program-key'

/** The audience of a tester link. */
export interface TesterAudience extends Audience {
  link: TesterRecord
  /** Whether the link still gives the same access: it may end during a request. */
  holds: Caller['holds']
}

/** Used alike for a link that is unknown, expired or revoked, or whose project was deleted. */
export const testerLinkEnded = (): AppError =>
  new AppError(
    'not_found',
    'This link has ended or never existed. Ask the person who sent it for a new one.',
  )

/**
 * Enters a project through a tester link, as a tester even if the caller has an account. Throws
 * `not_found`, and `bad_credentials`, `too_many_requests` and `busy` if the request does not prove
 * the link's password.
 */
export async function testerAudience(
  context: Rooms<'accounts' | 'files' | 'projects'>,
  ctx: Context,
  token: string,
): Promise<TesterAudience> {
  await context.accounts.linkPasswords.require(ctx, requireTesterLink(context, token).link, token)
  // The link can end during the check.
  return unlockedAudience(context, token)
}

/**
 * Enters a project through a tester link without its password, for requests with another proof.
 * Throws `not_found`.
 */
export function unlockedAudience(
  context: Rooms<'files' | 'projects'>,
  token: string,
): TesterAudience {
  const { testers } = context.projects
  const { link, project } = requireTesterLink(context, token)
  const { id: linkId, channel } = link

  const baseOf = (it: string) => `/t/${encodeURIComponent(it)}`
  const base = baseOf(token)
  const actor = { kind: 'tester', linkId, projectId: project.id, channel, base } as const

  return {
    link,
    project,
    actor,
    view: new ProjectView(context, project, actor),
    base,
    programBase: baseOf(withProgramKey(token, link.passwordHash)),
    channel,
    seal: link.passwordHash,
    holds: () => testers.holds(link) && isThere(context, project.id),
  }
}

/** Makes the tester of a link the caller of a request. */
export function actAsTester<Of extends Pick<TesterAudience, 'actor' | 'holds'>>(
  ctx: Context,
  audience: Of,
): Of {
  const { actor, holds } = audience
  ctx.state.caller = { ...callerOf(ctx), actor, holds } satisfies Caller
  return audience
}

/** The audience of a preview, whose address is a link like that of testers. */
export interface PreviewAudience extends Omit<TesterAudience, 'link'> {
  preview: PreviewRecord
  /** Its builds as the versions of reports, newest first. */
  buildNames: readonly string[]
  view: PreviewView
}

/**
 * Enters a project through a tester link, as `testerAudience`, or through a preview, which shows
 * its own builds only. Throws `not_found`, and what `testerAudience` throws.
 */
export async function testerOrPreview(
  context: Rooms<'accounts' | 'files' | 'projects'>,
  ctx: Context,
  token: string,
): Promise<TesterAudience | PreviewAudience> {
  return previewAudience(context, token) ?? (await testerAudience(context, ctx, token))
}

/** Enters a project through a preview. Returns undefined for another token. */
export function previewAudience(
  context: Rooms<'files' | 'projects'>,
  token: string,
): PreviewAudience | undefined {
  const { previews, store } = context.projects
  const preview = previews.current(token)
  const project = preview && store.find(preview.projectId)
  if (!preview || !project) return undefined

  const base = `/t/${encodeURIComponent(token)}`
  const channel = PREVIEW_CHANNEL
  const link = { linkId: preview.id, projectId: project.id, channel, base }
  const actor = { kind: 'tester', isPreview: true, ...link } as const

  return {
    preview,
    buildNames: preview.builds.map((build) => nameBuild(preview.name, build)),
    project,
    actor,
    view: new PreviewView(context, project, actor, preview),
    base,
    programBase: base,
    channel,
    holds: () => previews.holds(preview) && isThere(context, project.id),
  }
}

/** Finds a link and its project. Throws `not_found`. */
export function requireTesterLink(
  context: Rooms<'projects'>,
  token: string,
): Pick<TesterAudience, 'link' | 'project'> {
  const link = context.projects.testers.current(token)
  const project = link && context.projects.store.find(link.projectId)
  if (!link || !project) throw testerLinkEnded()
  return { link, project }
}

const isThere = ({ projects }: Rooms<'projects'>, id: string) =>
  projects.store.find(id) !== undefined
