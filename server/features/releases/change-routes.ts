import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api, type AuditKind } from '../../contract'
import { serve } from '../../http/endpoint/serve'
import { projectPolicy } from '../projects/policy'
import { ProjectView } from '../projects/project-view'
import { releasePolicy, seenBy } from '../projects/release-policy'
import { presentRelease } from './presenter'
import type { Details } from '../projects/release-store'
import type { ReleaseRecord } from '../../data/records/project-records'

type Address = Readonly<Record<'id' | 'version', string>>

type Deps = Rooms<'accounts' | 'data' | 'deletion' | 'files' | 'projects'>

/** Routes that create and change the releases of a project. */
export function releaseChangeRoutes(router: Router, context: Deps): void {
  const { store: projects } = context.projects
  const { audit } = context.accounts

  serve(router, api.releases.create, async ({ actor, input, ctx }) => {
    const project = projectPolicy.require(actor, 'link', projects.find(input.id))
    const release = await projects.releases.create(project, input.version, input)
    audit.record(ctx, { kind: 'release_create', subject: release.version, detail: project.title })
    return {
      release: presentRelease(new ProjectView(context, project, actor), { release, files: [] }),
    }
  })

  const change = async (
    ctx: Context,
    actor: Actor,
    address: Address,
    details: Partial<Details>,
  ) => {
    const { project, release: current } = requireRelease(context, actor, address, 'update')
    const { version } = current

    const { before, release } = await projects.releases.change(current.id, details)
    void context.deletion.retention.follow(project)

    const kind = classifyChange(before, release)
    if (kind)
      audit.record(ctx, {
        kind,
        subject: version,
        detail: project.title + describeMove(before, release),
      })

    const view = new ProjectView(context, project, actor)
    return { release: presentRelease(view, view.list(release)) }
  }

  serve(router, api.releases.update, ({ actor, input, ctx }) => {
    const { channel, notes, state, rollout } = input
    const changes = Object.entries({ channel, notes, state, rollout }).filter(
      ([, value]) => value !== undefined,
    )
    return change(ctx, actor, input, Object.fromEntries(changes))
  })

  serve(router, api.releases.remove, async ({ actor, input, ctx }) => {
    const { project, release } = requireRelease(context, actor, input, 'delete')
    await context.data.library.transact((tx) => projects.links.removeRelease(tx, release.id))
    audit.record(ctx, { kind: 'release_delete', subject: release.version, detail: project.title })
    return {}
  })

  serve(router, api.releases.promote, ({ actor, input, ctx }) =>
    change(ctx, actor, input, { channel: input.channel }),
  )

  serve(router, api.releases.withdraw, ({ actor, input, ctx }) =>
    change(ctx, actor, input, { state: 'withdrawn' }),
  )

  serve(router, api.releases.publish, ({ actor, input, ctx }) =>
    change(ctx, actor, input, { state: 'published' }),
  )
}

/** Throws `not_found` and `forbidden`. */
function requireRelease(
  { projects: { store } }: Rooms<'projects'>,
  actor: Actor,
  { id, version }: Address,
  action: 'update' | 'delete',
) {
  const project = projectPolicy.require(actor, 'read', store.find(id))

  const release = store.releases.ofVersion(project.id, version)
  return {
    project,
    release: releasePolicy.require(actor, action, release && seenBy(actor, project, release))
      .release,
  }
}

/** Returns the kind of a change for the audit log. Returns undefined if nothing changed. */
function classifyChange(before: ReleaseRecord, after: ReleaseRecord): AuditKind | undefined {
  if (before.state !== after.state && after.state === 'withdrawn') return 'release_withdraw'
  if (before.state !== after.state && after.state === 'published') return 'release_publish'
  if (before.channel !== after.channel) return 'release_promote'
  const isSame =
    before.state === after.state && before.notes === after.notes && before.rollout === after.rollout
  return isSame ? undefined : 'release_change'
}

function describeMove(before: ReleaseRecord, after: ReleaseRecord): string {
  if (before.channel !== after.channel) return `: ${before.channel} → ${after.channel}`
  if (before.rollout === after.rollout) return ''
  return `: rollout ${before.rollout ?? 100} % → ${after.rollout ?? 100} %`
}
