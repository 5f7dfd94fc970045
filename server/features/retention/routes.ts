import type Router from '@koa/router'
import type { Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api, KEPT_CHANNELS_MAX, LIST_PAGE_SIZE, type RetentionPlan } from '../../contract'
import { AppError } from '../../core/errors'
import { serve } from '../../http/endpoint/serve'
import { projectPolicy } from '../projects/policy'
import {
  channelsOf,
  releasesOn,
  viewProject,
  type ListedRelease,
  type ProjectView,
} from '../projects/project-view'
import type { ProjectRecord } from '../../data/records/project-records'
import { findArrival, filesThatGo, planRetention, createSharedFinder, sizeOf } from './plan'

type Deps = Rooms<'accounts' | 'deletion' | 'files' | 'projects'>
type Limits = NonNullable<ProjectRecord['retention']>

/** Limits of releases per channel: a setting of the project, for its owner. */
export function retentionRoutes(router: Router, context: Deps): void {
  const { store: projects } = context.projects
  const requireProject = (actor: Actor, id: string) =>
    projectPolicy.require(actor, 'update', projects.find(id))

  serve(router, api.retention.list, ({ actor, input }) => ({
    channels: listChannels(viewProject(context, actor, input.id, 'update')),
  }))

  serve(router, api.retention.preview, ({ actor, input: { id, channel, keep } }) =>
    presentPlan(context, requireProject(actor, id), channel, keep),
  )

  serve(router, api.retention.update, async ({ actor, input: { id, channel, keep }, ctx }) => {
    const before = requireProject(actor, id)

    const project = await projects.update(before.id, ({ retention = [] }) => ({
      retention: withLimit(retention, channel, keep),
    }))

    const detail = `${project.title}: ${keep === null ? 'keeps all' : `keeps the last ${keep}`}`
    context.accounts.audit.record(ctx, { kind: 'retention_change', subject: channel, detail })

    const plan = presentPlan(context, project, channel, keep)
    const following = context.deletion.retention.follow(project)

    // Wait if the response names all of them, so that it is true for the next request. More of them
    // move in the background.
    if (plan.total <= LIST_PAGE_SIZE) await following

    return plan
  })
}

/** Throws `too_many_records`. */
function withLimit(limits: Limits, channel: string, keep: number | null): Limits {
  const others = limits.filter((it) => it.channel !== channel)
  if (keep === null) return others
  if (others.length >= KEPT_CHANNELS_MAX) {
    throw new AppError('too_many_records', `A project can limit ${KEPT_CHANNELS_MAX} channels`)
  }
  return [...others, { channel, keep }]
}

function listChannels({ project, published }: ProjectView) {
  const { retention = [] } = project
  const listed = published.filter(({ files }) => files.length > 0)

  const names = channelsOf([
    ...listed,
    ...retention.map(({ channel }) => ({ release: { channel } })),
  ])

  const byChannel = Map.groupBy(listed, ({ release }) => release.channel)
  return names.map((channel) => {
    const own = byChannel.get(channel) ?? []
    const keep = retention.find((it) => it.channel === channel)?.keep ?? null
    return { channel, keep, releases: own.length, size: sizeOf(own.flatMap(filesOf)) }
  })
}

const filesOf = ({ files }: ListedRelease) => files.map(({ file }) => file)

function presentPlan(
  context: Deps,
  project: ProjectRecord,
  channel: string,
  keep: number | null,
): RetentionPlan {
  if (keep === null) return { channel, keep, releases: [], total: 0, size: 0, stays: [] }
  const listed = releasesOn(context, project, channel)
  const { goes, stays } = planRetention(listed, keep, createSharedFinder(context, project))

  const gone = goes.map((listed) => filesThatGo(context, project, listed))
  return {
    channel,
    keep,
    releases: goes.slice(0, LIST_PAGE_SIZE).map(({ release, files }, index) => ({
      version: release.version,
      published_at: findArrival(release),
      files: files.length,
      size: sizeOf(gone[index] ?? []),
    })),
    total: goes.length,
    size: sizeOf(gone.flat()),
    stays: stays
      .slice(0, LIST_PAGE_SIZE)
      .map(({ release: { version }, reason, filename }) => ({ version, reason, filename })),
  }
}
