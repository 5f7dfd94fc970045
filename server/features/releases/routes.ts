import type Router from '@koa/router'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { compareVersions } from '../../core/versions'
import { serve } from '../../http/endpoint/serve'
import { buildReleasePath, publicAudience } from './audience'
import { projectPolicy } from '../projects/policy'
import { presentLink } from '../projects/presenter'
import { findLatest } from './latest'
import { channelsOf, notesOf, releaseFor, releasesFor } from './listing'
import { LISTED_FILES, presentRelease } from './presenter'

/** Routes that list the releases of a project. */
export function releaseRoutes(router: Router, context: Rooms<'files' | 'projects'>): void {
  const { store: projects } = context.projects

  serve(router, api.releases.list, ({ actor, input: { id, channel, since, offset, limit } }) => {
    const project = projectPolicy.require(actor, 'read', projects.find(id))
    const releases = [...releasesFor(context, project, actor)]

    const all = releases.filter(
      ({ release }) =>
        (channel === undefined || release.channel === channel) &&
        (since === undefined || compareVersions(release.version, since) > 0),
    )

    const page = all.slice(offset, offset + limit)
    return {
      releases: page.map((listed) => presentRelease(context, project, listed, actor, LISTED_FILES)),
      total: all.length,
      channels: channelsOf(releases),
      notes: since === undefined ? null : notesOf(all),
    }
  })

  serve(router, api.releases.latest, ({ actor, input }) => {
    const audience = publicAudience(context, actor, input.id)

    const { project } = audience
    const { listed, chosen } = findLatest(releasesFor(context, project, actor), {
      ...input,
      channel: input.channel ?? audience.channel,
    })

    const release = presentRelease(context, project, listed, actor, LISTED_FILES)
    const file = chosen && presentLink(context, project, chosen.link, actor)

    return {
      release,
      file: file ?? null,
      url: buildReleasePath(audience, listed.release, chosen?.file),
    }
  })

  // After `latest`, which has the same shape.
  serve(router, api.releases.byVersion, ({ actor, input: { id, version } }) => {
    const project = projectPolicy.require(actor, 'read', projects.find(id))

    return {
      release: presentRelease(
        context,
        project,
        releaseFor(context, project, actor, version),
        actor,
      ),
    }
  })
}
