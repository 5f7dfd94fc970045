import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Actor } from '../../../access/actor'
import type { Rooms } from '../../../compose/context'
import { api } from '../../../contract'
import { notFound } from '../../../core/errors'
import { parseInput, serveRaw } from '../../../http/endpoint/serve'
import { publicEntrance, type Entrance } from '../entrance'
import { latestOf, type Wanted } from './latest'
import { releaseFor, releasesFor } from './listing'

type Needed = Rooms<'files' | 'projects' | 'transfers'>

/** Links to the files of releases, for people, updaters and scripts. */
export function releaseAddressRoutes(router: Router, context: Needed): void {
  serveRaw(router, api.releases.download, async (ctx, { actor }, params) => {
    const { id, version, filename } = parseInput(api.releases.download.input, params)
    const { project } = publicEntrance(context, actor, id)
    const { files } = releaseFor(context, project, actor, version)
    const file = files.find((listed) => listed.file.filename === filename)?.file
    if (!file) throw notFound('File')
    await context.transfers.deliver(ctx, file, { projectId: project.id })
  })

  const redirect = (ctx: Context, actor: Actor, { id, ...wanted }: Wanted & { id: string }) => {
    const entrance = publicEntrance(context, actor, id)
    const { listed, chosen } = latestOf(releasesFor(context, entrance.project, actor), wanted)
    ctx.status = 302
    ctx.redirect(addressOf(entrance, listed.release, chosen?.file))
    return Promise.resolve()
  }
  for (const endpoint of [api.releases.latestPage, api.releases.latestFile, api.releases.latestFileOfArch]) {
    serveRaw(router, endpoint, (ctx, { actor }, params) =>
      redirect(ctx, actor, parseInput<(typeof endpoint)['input']>(endpoint.input, { ...ctx.query, ...params })),
    )
  }
}

/** The path of a file of a release, or of the release's page. */
export function addressOf({ base }: Entrance, { version }: { version: string }, file?: { filename: string }) {
  const page = `${base}/releases/${encodeURIComponent(version)}`
  return file ? `${page}/${encodeURIComponent(file.filename)}` : page
}
