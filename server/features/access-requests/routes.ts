import type Router from '@koa/router'
import type { Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api, type AccessRequest, type AccessSettings } from '../../contract'
import type { AccessRequestRecord } from '../../data/records/access-records'
import type { ProjectRecord } from '../../data/records/project-records'
import { forEachId } from '../../http/endpoint/many'
import { serve } from '../../http/endpoint/serve'
import { projectPolicy } from '../projects/policy'
import { accessFormOf } from './access-request-store'
import { askerRoutes } from './asker-routes'

type Deps = Rooms<'accounts' | 'files' | 'host' | 'network' | 'notices' | 'projects'>

/** Requests for access: people without an account ask; the team of a project answers. */
export function accessRequestRoutes(router: Router, context: Deps): void {
  answerRoutes(router, context)
  settingsRoute(router, context)
  askerRoutes(router, context)
}

function answerRoutes(router: Router, context: Deps): void {
  const { accessRequests, store } = context.projects
  const { audit } = context.accounts
  const requireProject = (actor: Actor, id: string) =>
    projectPolicy.require(actor, 'testers', store.find(id))

  serve(router, api.accessRequests.list, ({ actor, input }) => {
    const project = requireProject(actor, input.id)
    context.notices.digests.noteLook(actor, 'request', project.id)
    const { state, offset, limit } = input
    const matching = accessRequests
      .ofProject(project.id)
      .filter((request) => state === undefined || request.state === state)

    return {
      access_requests: matching.slice(offset, offset + limit).map(presentRequest),
      total: matching.length,
      by_state: {
        waiting: accessRequests.count(project.id, 'waiting'),
        declined: accessRequests.count(project.id, 'declined'),
      },
      settings: presentSettings(context.projects, project),
    }
  })

  serve(router, api.accessRequests.approve, async ({ actor, input, ctx }) => {
    const { id, title } = requireProject(actor, input.id)
    return forEachId(input.request_ids, async (requestId) => {
      const { name } = await accessRequests.approve(id, requestId)
      audit.record(ctx, { kind: 'access_approve', subject: name, detail: title })
    })
  })

  serve(router, api.accessRequests.decline, async ({ actor, input, ctx }) => {
    const { id, title } = requireProject(actor, input.id)
    return forEachId(input.request_ids, async (requestId) => {
      await accessRequests.decline(id, requestId)
      audit.record(ctx, { kind: 'access_decline', subject: title })
    })
  })
}

function settingsRoute(router: Router, context: Deps): void {
  const { store } = context.projects
  serve(router, api.accessRequests.configure, async ({ actor, input, ctx }) => {
    const { id } = projectPolicy.require(actor, 'update', store.find(input.id))
    const { is_open: isOpen, note, channel, days, limit } = input
    const project = await store.update(id, (now) => {
      const old = accessFormOf(now)
      return {
        accessForm: {
          isOpen,
          note: note ?? old.note,
          channel: channel ?? old.channel,
          days: days ?? old.days,
          limit: limit === undefined ? old.limit : limit,
        },
      }
    })

    const detail = isOpen ? 'on' : 'off'
    context.accounts.audit.record(ctx, { kind: 'access_settings', subject: project.title, detail })
    return { settings: presentSettings(context.projects, project) }
  })
}

const presentRequest = ({ id, name, asked, state }: AccessRequestRecord): AccessRequest => ({
  request_id: id,
  name: name ?? null,
  email: asked.email ?? null,
  note: asked.note,
  state,
  created_at: asked.at,
})

function presentSettings(
  { testers }: Rooms<'projects'>['projects'],
  project: ProjectRecord,
): AccessSettings {
  const { isOpen, ...form } = accessFormOf(project)
  return { is_open: isOpen, ...form, testers: testers.countAdmitted(project.id) }
}
