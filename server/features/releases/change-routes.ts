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
import type { Transaction } from '../../data/library/library'
import type { FileRecord } from '../../data/records/file-records'
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
    address: Address & { make_public?: boolean },
    details: Partial<Details>,
  ) => {
    const { project, release: current } = requireRelease(context, actor, address, 'update')
    const { version } = current

    let published: readonly FileRecord[] = []
    const { before, release } = await projects.releases.change(current.id, details, (tx) => {
      if (address.make_public) published = publishFiles(context, tx, actor, current.id)
    })
    void context.deletion.retention.follow(project)

    const kind = classifyChange(before, release)
    if (kind)
      audit.record(ctx, {
        kind,
        subject: version,
        detail: project.title + describeMove(before, release),
      })
    for (const { filename } of published)
      audit.record(ctx, { kind: 'file_visibility', subject: filename, detail: 'public' })

    const view = new ProjectView(context, project, actor)
    return {
      release: presentRelease(view, view.list(release)),
      made_public: published.map(({ id }) => id),
    }
  }

  serve(router, api.releases.update, async ({ actor, input, ctx }) => {
    const { channel, notes, state, rollout } = input
    const changes = Object.entries({ channel, notes, state, rollout }).filter(
      ([, value]) => value !== undefined,
    )
    const { release } = await change(ctx, actor, input, Object.fromEntries(changes))
    return { release }
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

  serve(router, api.releases.withdraw, async ({ actor, input, ctx }) => {
    const { release } = await change(ctx, actor, input, { state: 'withdrawn' })
    return { release }
  })

  serve(router, api.releases.publish, ({ actor, input, ctx }) =>
    change(ctx, actor, input, { state: 'published' }),
  )
}

/** Makes the private files of a release public that the actor may publish. Returns them. */
function publishFiles(
  { files, projects }: Rooms<'files' | 'projects'>,
  tx: Transaction,
  actor: Actor,
  releaseId: string,
): FileRecord[] {
  return projects.store.links.ofRelease(releaseId).flatMap(({ fileId }) => {
    const file = files.store.find(fileId)
    if (!file || file.isPublic || !files.policy.can(actor, 'publish', file)) return []
    return files.store.changeVisibility(tx, fileId, true) ?? []
  })
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
