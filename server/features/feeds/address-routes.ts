import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { notFound } from '../../core/errors'
import { addressOf, type Entrance } from '../releases/entrance'
import { serveEntrances } from '../testers/serve-entrances'
import { latestOf, type Wanted } from '../releases/latest'
import { releaseFor, releasesFor } from '../releases/listing'

type Needed = Rooms<'accounts' | 'files' | 'projects' | 'transfers'>

type Asked = { [Name in keyof Wanted]?: Wanted[Name] | undefined } & { from?: 'host' | undefined }

/** Links to the files of releases, for people, updaters and scripts. */
export function releaseAddressRoutes(router: Router, context: Needed): void {
  const { releases, testers } = api

  const downloads = { forAll: releases.download, forTesters: testers.download }
  serveEntrances(router, context, downloads, async (ctx, { project, actor }, { version, filename }) => {
    const { files } = releaseFor(context, project, actor, version)
    const file = files.find((listed) => listed.file.filename === filename)?.file
    if (!file) throw notFound('File')
    await context.transfers.delivery.send(ctx, file, { projectId: project.id })
  })

  const redirect = (ctx: Context, entrance: Entrance, { channel = entrance.channel, from, ...wanted }: Asked) => {
    const all = releasesFor(context, entrance.project, entrance.actor)
    const { listed, chosen } = latestOf(all, { ...wanted, channel })
    ctx.status = 302
    ctx.redirect(addressOf(entrance, listed.release, chosen?.file) + (from ? `?from=${from}` : ''))
  }
  for (const name of ['latestPage', 'latestFile', 'latestFileOfArch'] as const) {
    serveEntrances(router, context, { forAll: releases[name], forTesters: testers[name] }, redirect)
  }
}
