import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Actor } from '../../access/actor'
import { userIdOf } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { forEachId } from '../../http/endpoint/many'
import { serve } from '../../http/endpoint/serve'
import { packageExtension } from '../../libraries/package-reader/package-names'
import { presentFile } from './presenter'
import type { FileRecord } from '../../data/records/file-records'

type Deps = Rooms<'accounts' | 'deletion' | 'files' | 'projects' | 'transfers'>

export function fileRoutes(router: Router, context: Deps): void {
  readRoutes(router, context)
  factsRoutes(router, context)
  changeRoutes(router, context)
}

function readRoutes(router: Router, context: Deps): void {
  const { store: files, policy: filePolicy } = context.files
  const { users } = context.accounts
  const present = (file: FileRecord, actor: Actor) => presentFile(context, file, actor)

  serve(router, api.files.mine, ({ actor, input }) => {
    const all = files.ownedBy(userIdOf(actor))
    const isPublic = input.visibility === 'public'
    const mine = input.visibility === 'all' ? all : all.filter((file) => file.isPublic === isPublic)
    return paginateFiles(found(mine, input.search), input, (file) => present(file, actor))
  })

  serve(router, api.files.listPublic, ({ actor, input }) => {
    const withheld = context.projects.store.links.withheld()
    const offered = withheld.size === 0 ? files.allPublic() : files.allPublic().filter(({ id }) => !withheld.has(id))
    const all = found(offered, input.search, (userId) => users.nameOf(userId))
    return paginateFiles(all, input, (file) => present(file, actor))
  })

  serve(router, api.files.info, ({ actor, input }) => ({
    file: present(filePolicy.require(actor, 'read', files.find(input.id)), actor),
  }))
}

function factsRoutes(router: Router, { files: { store: files, policy, facts } }: Rooms<'files'>): void {
  const tell = async (actor: Actor, file: FileRecord) => {
    const is_package = packageExtension(file.filename) !== undefined
    return { ...(await facts.of(file)), is_package, can: policy.abilities(actor, file) }
  }

  serve(router, api.files.facts, ({ actor, input }) => tell(actor, policy.require(actor, 'read', files.find(input.id))))

  serve(router, api.files.readAgain, async ({ actor, input }) => {
    const file = await facts.readAgain(policy.require(actor, 'update', files.find(input.id)))
    return tell(actor, policy.require(actor, 'update', file))
  })
}

function changeRoutes(router: Router, context: Deps): void {
  const { store: files, policy: filePolicy } = context.files
  const { audit } = context.accounts
  const { running } = context.transfers
  const setVisibility = async (ctx: Context, actor: Actor, id: string, isPublic: boolean): Promise<FileRecord> => {
    const file = filePolicy.require(actor, 'update', files.find(id))
    const changed = await files.setVisibility(file.id, isPublic)
    running.recheck(file.id)
    const now = filePolicy.require(actor, 'update', changed)
    const detail = now.isPublic ? 'public' : 'private'
    if (now !== file) audit.record(ctx, { kind: 'file_visibility', subject: now.filename, detail })
    return now
  }
  const remove = async (ctx: Context, actor: Actor, id: string): Promise<void> => {
    const file = filePolicy.require(actor, 'delete', files.find(id))
    await context.deletion.deleteFile(file)
    audit.record(ctx, { kind: 'file_delete', subject: file.filename })
    running.recheck(file.id)
  }

  serve(router, api.files.setVisibility, async ({ actor, input, ctx }) => ({
    file: presentFile(context, await setVisibility(ctx, actor, input.id, input.is_public), actor),
  }))

  serve(router, api.files.setVisibilityOfMany, ({ actor, input, ctx }) =>
    forEachId(input.file_ids, (id) => setVisibility(ctx, actor, id, input.is_public)),
  )

  serve(router, api.files.remove, async ({ actor, input, ctx }) => {
    await remove(ctx, actor, input.id)
    return {}
  })

  serve(router, api.files.removeMany, ({ actor, input, ctx }) =>
    forEachId(input.file_ids, (id) => remove(ctx, actor, id)),
  )
}

/** Searches filenames and owners; without a text, returns the whole list. */
function found(all: readonly FileRecord[], search: string | undefined, nameOf: (userId: string) => string = () => '') {
  const query = search?.toLowerCase() ?? ''
  if (query === '') return all
  const owners = new Map<string, boolean>()
  const isTheirs = (userId: string) => {
    const isMatch = owners.get(userId) ?? nameOf(userId).toLowerCase().includes(query)
    owners.set(userId, isMatch)
    return isMatch
  }
  return all.filter((file) => file.filename.toLowerCase().includes(query) || isTheirs(file.ownerId))
}

function paginateFiles<T>(
  all: readonly FileRecord[],
  { limit, offset }: { limit: number; offset: number },
  present: (file: FileRecord) => T,
) {
  return { files: all.slice(offset, offset + limit).map(present), total: all.length }
}
