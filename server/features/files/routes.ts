import type Router from '@koa/router'
import type { Actor } from '../../access/actor'
import { userIdOf } from '../../access/actor'
import type { AppContext } from '../../context'
import { api } from '../../contract'
import { parseInput, serve, serveRaw } from '../../http/serve'
import type { FileRecord } from './file-store'
import { presentFile } from './presenter'
import { takeUpload } from './upload'

export function fileRoutes(router: Router, context: AppContext): void {
  const { files, filePolicy, users, deliver, deleteFile, runningTransfers } = context
  const present = (file: FileRecord, actor: Actor) => presentFile(context, file, actor)

  serveRaw(router, api.files.upload, async (ctx, { actor }) => {
    const file = await takeUpload(context, ctx, actor)
    ctx.status = 201
    ctx.body = { success: true, message: 'File uploaded successfully!', file_id: file.id, file: present(file, actor) }
  })

  serve(router, api.files.mine, ({ actor, input }) => {
    const mine = files
      .ownedBy(userIdOf(actor))
      .filter((file) => input.visibility === 'all' || file.isPublic === (input.visibility === 'public'))
    return pageOf(mine.filter(matching(input.search)), input, (file) => present(file, actor))
  })

  serve(router, api.files.listPublic, ({ actor, input }) => {
    const matches = matching(input.search, (file) => users.nameOf(file.ownerId))
    return pageOf(files.allPublic().filter(matches), input, (file) => present(file, actor))
  })

  serve(router, api.files.info, ({ actor, input }) => ({
    file: present(filePolicy.require(actor, 'read', files.find(input.id)), actor),
  }))

  serveRaw(router, api.files.download, async (ctx, { actor }, params) => {
    const { id } = parseInput(api.files.download.input, params)
    await deliver(ctx, filePolicy.require(actor, 'read', files.find(id)))
  })

  serveRaw(router, api.files.downloadPublic, async (ctx, _caller, params) => {
    const { username, file_id } = parseInput(api.files.downloadPublic.input, params)
    const file = files.find(file_id)
    const isTheirs = file?.isPublic === true && users.byName(username)?.id === file.ownerId
    await deliver(ctx, filePolicy.require({ kind: 'visitor' }, 'read', isTheirs ? file : undefined))
  })

  serve(router, api.files.setVisibility, async ({ actor, input }) => {
    const file = filePolicy.require(actor, 'update', files.find(input.id))
    const changed = await files.setVisibility(file.id, input.is_public)
    runningTransfers.recheck(file.id)
    return { file: present(filePolicy.require(actor, 'update', changed), actor) }
  })

  serve(router, api.files.remove, async ({ actor, input }) => {
    const file = filePolicy.require(actor, 'delete', files.find(input.id))
    await deleteFile(file)
    runningTransfers.recheck(file.id)
    return {}
  })
}

function matching(search: string | undefined, also: (file: FileRecord) => string = () => '') {
  const wanted = search?.toLowerCase() ?? ''
  return (file: FileRecord) =>
    wanted === '' || file.filename.toLowerCase().includes(wanted) || also(file).toLowerCase().includes(wanted)
}

function pageOf<T>(
  all: FileRecord[],
  { limit, offset }: { limit: number; offset: number },
  present: (file: FileRecord) => T,
) {
  return { files: all.slice(offset, offset + limit).map(present), total: all.length }
}
