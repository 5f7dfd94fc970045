import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Actor } from '../../../access/actor'
import type { Rooms } from '../../../compose/context'
import { api, type AuditKind } from '../../../contract'
import { serve } from '../../../http/endpoint/serve'
import { projectPolicy } from '../policy'
import { listing } from './listing'
import { releasePolicy, seenBy } from './policy'
import { presentRelease } from './presenter'
import type { Details, ReleaseRecord } from './release-store'

/** Creates and changes the releases of a project. */
export function releaseChangeRoutes(router: Router, context: Rooms<'accounts' | 'files' | 'projects'>): void {
  const { store: projects } = context.projects
  const { audit } = context.accounts

  serve(router, api.releases.create, async ({ actor, input, ctx }) => {
    const project = projectPolicy.require(actor, 'link', projects.find(input.id))
    const release = await projects.releases.create(project, input.version, input)
    audit.record(ctx, { kind: 'release_create', subject: release.version, detail: project.title })
    return { release: presentRelease(context, project, { release, files: [] }, actor) }
  })

  const change = async (
    ctx: Context,
    actor: Actor,
    { id, version }: { id: string; version: string },
    details: Partial<Details>,
  ) => {
    const project = projectPolicy.require(actor, 'read', projects.find(id))
    const found = projects.releases.ofVersion(project.id, version)
    const subject = releasePolicy.require(actor, 'update', found && seenBy(actor, project, found))
    const { before, release } = await projects.releases.change(subject.release.id, details)
    const moved = before.channel === release.channel ? '' : `: ${before.channel} → ${release.channel}`
    audit.record(ctx, { kind: kindOf(before, release), subject: version, detail: project.title + moved })
    return { release: presentRelease(context, project, listing(context, project, actor)(release), actor) }
  }

  serve(router, api.releases.update, ({ actor, input, ctx }) => {
    const { channel, notes, state } = input
    const given = Object.entries({ channel, notes, state }).filter(([, value]) => value !== undefined)
    return change(ctx, actor, input, Object.fromEntries(given))
  })

  serve(router, api.releases.promote, ({ actor, input, ctx }) => change(ctx, actor, input, { channel: input.channel }))

  serve(router, api.releases.withdraw, ({ actor, input, ctx }) => change(ctx, actor, input, { state: 'withdrawn' }))

  serve(router, api.releases.publish, ({ actor, input, ctx }) => change(ctx, actor, input, { state: 'published' }))
}

function kindOf(before: ReleaseRecord, after: ReleaseRecord): AuditKind {
  if (before.state !== after.state && after.state === 'withdrawn') return 'release_withdraw'
  if (before.state !== after.state && after.state === 'published') return 'release_publish'
  return before.channel === after.channel ? 'release_change' : 'release_promote'
}
