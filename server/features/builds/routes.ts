import type Router from '@koa/router'
import { userIdOf } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api, type Build } from '../../contract'
import { notFound } from '../../core/errors'
import type { FileRecord } from '../../data/records/file-records'
import { parseInput, serve, serveRaw } from '../../http/endpoint/serve'

export function buildRoutes(
  router: Router,
  {
    files: { store: files, versionOf, presentPackage },
    transfers: { delivery },
  }: Rooms<'files' | 'transfers'>,
): void {
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
    const all = files.buildsOf(userIdOf(actor))
    return {
      builds: all.slice(input.offset, input.offset + input.limit).map(present),
      total: all.length,
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

    await delivery.send(ctx, build)
  })
}
