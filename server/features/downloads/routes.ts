import { VISITOR } from '../../access/actor'
import type Router from '@koa/router'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { notFound } from '../../core/errors'
import { parseInput, serveRaw } from '../../http/endpoint/serve'

/** Downloads of one file, several as a zip, and public files. */
export function downloadRoutes(
  router: Router,
  context: Rooms<'accounts' | 'files' | 'transfers'>,
): void {
  const { store: files, policy: filePolicy } = context.files
  const { users } = context.accounts
  const { delivery } = context.transfers

  const findPublicFile = (username: string, fileId: string) => {
    const file = files.find(fileId)
    return file?.isPublic === true && users.byName(username)?.id === file.ownerId ? file : undefined
  }

  // Before the next route, which would read `zip` as an id.
  serveRaw(router, api.files.downloadMany, async (ctx, { actor }) => {
    const ids = new Set(parseInput(api.files.downloadMany.input, ctx.query).ids.split(','))
    await delivery.sendZip(ctx, () => {
      const chosen = [...ids].map((id) => filePolicy.require(actor, 'read', files.find(id)))
      return { name: 'files', files: chosen, isPublic: chosen.every((file) => file.isPublic) }
    })
  })

  serveRaw(router, api.files.download, async (ctx, { actor }, params) => {
    const { id } = parseInput(api.files.download.input, params)
    await delivery.send(ctx, filePolicy.require(actor, 'read', files.find(id)))
  })

  serveRaw(router, api.files.downloadPublic, async (ctx, _caller, params) => {
    const { username, file_id } = parseInput(api.files.downloadPublic.input, params)
    await delivery.send(ctx, filePolicy.require(VISITOR, 'read', findPublicFile(username, file_id)))
  })

  serveRaw(router, api.files.downloadExact, async (ctx, _caller, params) => {
    const { username, file_id, sha256 } = parseInput(api.files.downloadExact.input, params)
    const file = findPublicFile(username, file_id)
    const isTheOne = file?.sha256 === sha256.toLowerCase()
    const exactFile = filePolicy.require(VISITOR, 'read', isTheOne ? file : undefined)
    await delivery.send(ctx, exactFile, { keeping: 'immutable' })
  })
}

/** The icon that the package of a file contains. */
export function iconRoutes(
  router: Router,
  { files: { store: files, policy, facts }, transfers: { delivery } }: Rooms<'files' | 'transfers'>,
): void {
  serveRaw(router, api.files.icon, async (ctx, { actor }, params) => {
    const { id } = parseInput(api.files.icon.input, params)
    const file = policy.require(actor, 'read', files.find(id))
    const icon = await facts.readIcon(file)
    if (!icon) throw notFound('Icon')
    await delivery.sendIcon(ctx, file, icon)
  })
}
