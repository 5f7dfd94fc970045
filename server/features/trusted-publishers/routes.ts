import type Router from '@koa/router'
import type { Rooms } from '../../compose/context'
import { api, type TrustedPublisher } from '../../contract'
import type { TrustedPublisherRecord } from '../../data/records/project-records'
import { serve } from '../../http/endpoint/serve'
import { remoteOf } from '../../http/pipeline/remote'
import { projectPolicy } from '../projects/policy'
import { publishersOf } from './trusted-publishers'

/** Trusted publishers: the owner of a project manages them; CI jobs exchange tokens for keys. */
export function trustedPublisherRoutes(
  router: Router,
  {
    accounts: { audit, signInThrottle },
    projects: { store: projects },
    trustedPublishers: publishers,
  }: Rooms<'accounts' | 'projects' | 'trustedPublishers'>,
): void {
  serve(router, api.trustedPublishers.list, ({ actor, input }) => {
    const project = projectPolicy.require(actor, 'update', projects.find(input.id))
    return {
      publishers: publishersOf(project).map(presentPublisher),
      audience: publishers.audience,
    }
  })

  serve(router, api.trustedPublishers.add, async ({ actor, input, ctx }) => {
    const project = projectPolicy.require(actor, 'update', projects.find(input.id))
    const publisher = await publishers.add(project.id, input)
    const subject = publisher.repository
    audit.record(ctx, { kind: 'publisher_add', subject, detail: project.title })
    return { publisher: presentPublisher(publisher) }
  })

  serve(router, api.trustedPublishers.remove, async ({ actor, input, ctx }) => {
    const project = projectPolicy.require(actor, 'update', projects.find(input.id))
    const { repository: subject } = await publishers.remove(project.id, input.publisherId)
    audit.record(ctx, { kind: 'publisher_remove', subject, detail: project.title })
    return {}
  })

  serve(router, api.trustedPublishers.exchange, async ({ input, ctx }) => {
    const exchanging = publishers
      .exchange(input.project, input.token)
      .catch(async (cause: unknown) => {
        await signInThrottle.badKey(remoteOf(ctx).address)
        throw cause
      })
    const { key, projectId, expiresAt } = await exchanging
    return { api_key: key, project_id: projectId, expires_at: expiresAt }
  })
}

const presentPublisher = (publisher: TrustedPublisherRecord): TrustedPublisher => ({
  publisher_id: publisher.id,
  provider: publisher.provider,
  issuer: publisher.issuer,
  repository: publisher.repository,
  branch: publisher.branch,
  tag: publisher.tag,
  environment: publisher.environment,
  created_at: publisher.createdAt,
  last_used: publisher.lastUsedAt,
})
