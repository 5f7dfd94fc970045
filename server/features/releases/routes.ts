import type Router from '@koa/router'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { compareVersions } from '../../core/versions'
import { serve } from '../../http/endpoint/serve'
import { buildReleasePath, publicAudience } from './audience'
import { presentLink } from '../projects/presenter'
import { findLatest } from './latest'
import { channelsOf, notesOf } from '../projects/project-view'
import { LISTED_FILES, presentRelease } from './presenter'

/** Routes that list the releases of a project. */
export function releaseRoutes(router: Router, context: Rooms<'files' | 'projects'>): void {
  serve(router, api.releases.list, ({ actor, input: { id, channel, since, offset, limit } }) => {
    const { view } = publicAudience(context, actor, id)
    const releases = [...view.releases()]

    const all = releases.filter(
      ({ release }) =>
        (channel === undefined || release.channel === channel) &&
        (since === undefined || compareVersions(release.version, since) > 0),
    )

    const page = all.slice(offset, offset + limit)
    return {
      releases: page.map((listed) => presentRelease(view, listed, LISTED_FILES)),
      total: all.length,
      channels: channelsOf(releases),
      notes: since === undefined ? null : notesOf(all),
    }
  })

  serve(router, api.releases.latest, ({ actor, input }) => {
    const audience = publicAudience(context, actor, input.id)

    const { view } = audience
    const { listed, chosen } = findLatest(view.releases(), {
      ...input,
      channel: input.channel ?? audience.channel,
    })

    const release = presentRelease(view, listed, LISTED_FILES)
    const file = chosen && presentLink(view, chosen.link)

    return {
      release,
      file: file ?? null,
      url: buildReleasePath(audience, listed.release, chosen?.file),
    }
  })

  // After `latest`, which has the same shape.
  serve(router, api.releases.byVersion, ({ actor, input: { id, version } }) => {
    const { view } = publicAudience(context, actor, id)
    return { release: presentRelease(view, view.release(version)) }
  })
}
