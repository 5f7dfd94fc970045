import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { notFound } from '../../core/errors'
import { buildReleasePath, countedFor, type Audience } from '../releases/audience'
import { serveAudiences } from '../testers/serve-audiences'
import { findLatest, type LatestFilter } from '../releases/latest'

type Deps = Rooms<'accounts' | 'files' | 'projects' | 'transfers'>

type LatestQuery = { [Name in keyof LatestFilter]?: LatestFilter[Name] | undefined } & {
  from?: 'host' | undefined
}

/** Links to the files of releases, for people, updaters and scripts. */
export function releaseDownloadRoutes(router: Router, context: Deps): void {
  const { releases, testers } = api

  const downloads = {
    forAll: releases.download,
    forTesters: testers.download,
    hasPreviews: true,
  } as const
  serveAudiences(router, context, downloads, async (ctx, audience, { version, filename }) => {
    const { files } = audience.view.release(version)
    const file = files.find((listed) => listed.file.filename === filename)?.file
    if (!file) throw notFound('File')
    await context.transfers.delivery.send(ctx, file, { projectId: countedFor(audience) })
  })

  const redirect = (
    ctx: Context,
    audience: Audience,
    { channel = audience.channel, from, ...target }: LatestQuery,
  ) => {
    const { listed, chosen } = findLatest(audience.view.releases(), { ...target, channel })
    ctx.status = 302
    ctx.redirect(
      buildReleasePath(audience, listed.release, chosen?.file) + (from ? `?from=${from}` : ''),
    )
  }

  for (const name of ['latestPage', 'latestFile', 'latestFileOfArch'] as const) {
    serveAudiences(router, context, { forAll: releases[name], forTesters: testers[name] }, redirect)
  }
}
