import type Router from '@koa/router'
import { userIdOf } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api, type Build } from '../../contract'
import { notFound } from '../../core/errors'
import type { FileRecord } from '../../data/records/file-records'
import { findBuilds, groupBuilds, presentApplication } from './applications'
import { parseInput, serve, serveRaw } from '../../http/endpoint/serve'

export function buildRoutes(
  router: Router,
  rooms: Rooms<'files' | 'projects' | 'transfers'>,
): void {
  const { store: files, versionOf, presentPackage } = rooms.files

  const present = (file: FileRecord): Build => ({
    file_id: file.id,
    filename: file.filename,
    version: versionOf(file),
    ...presentPackage(file),
    sizeBytes: file.size,
    buildDate: file.uploadedAt,
    sha256: file.sha256,
  })

  serve(router, api.builds.list, ({ actor, input }) => {
    const own = files.buildsOf(userIdOf(actor))
    const all = input.application === undefined ? own : findBuilds(input.application, own, rooms)

    return {
      builds: all.slice(input.offset, input.offset + input.limit).map(present),
      total: all.length,
    }
  })

  serve(router, api.builds.applications, ({ actor, input: { application, offset, limit } }) => {
    const all = groupBuilds(files.buildsOf(userIdOf(actor)), rooms)
    const found = application === undefined ? all : all.filter(({ id }) => id === application)

    return {
      applications: found
        .slice(offset, offset + limit)
        .map((group) => presentApplication(group, rooms)),
      total: found.length,
    }
  })

  serve(router, api.builds.stats, ({ actor }) => {
    const all = files.buildsOf(userIdOf(actor))
    const versions = new Set(all.map(versionOf).filter((version) => version !== null))
    const total_size = all.reduce((sum, file) => sum + file.size, 0)
    return { stats: { total_builds: all.length, total_size, versions: [...versions] } }
  })

  serveRaw(router, api.builds.download, async (ctx, { actor }, params) => {
    const { id } = parseInput(api.builds.download.input, params)

    const all = files.buildsOf(userIdOf(actor))
    const build = all.find((file) => file.id === id) ?? all.find((file) => file.filename === id)
    if (!build) throw notFound('Build')

    await rooms.transfers.delivery.send(ctx, build)
  })
}
