import type Router from '@koa/router'
import type { Context } from 'koa'
import { isUser, userIdOf, type Actor } from '../../access/actor'
import { definePolicy } from '../../access/policy'
import type { Rooms } from '../../compose/context'
import { api, type Trashed } from '../../contract'
import { forEachId } from '../../http/endpoint/many'
import { serve } from '../../http/endpoint/serve'
import type { TrashRecord } from '../../data/records/trash-record'

/** Only the owner can access deleted items, not collaborators. */
const trashPolicy = definePolicy<TrashRecord>()('Deleted item', {
  read: (actor, record) => isUser(actor, record.ownerId),
  restore: (actor, record) => isUser(actor, record.ownerId),
  delete: (actor, record) => isUser(actor, record.ownerId),
})

export function trashRoutes(
  router: Router,
  { files: { trash, quota }, accounts: { audit } }: Rooms<'accounts' | 'files'>,
): void {
  const present = (record: TrashRecord) => presentTrashed(record, trash.expiresAt(record))

  serve(router, api.trash.list, ({ actor, input }) => {
    const all = trash.ownedBy(userIdOf(actor))
    return {
      items: all.slice(input.offset, input.offset + input.limit).map(present),
      total: all.length,
      size: all.reduce((sum, { size }) => sum + size, 0),
    }
  })

  const restore = async (ctx: Context, actor: Actor, id: string): Promise<void> => {
    const record = trashPolicy.require(actor, 'restore', trash.find(id))
    await trash.restore(record, () => {
      quota.require(record.ownerId, record.size)
    })
    audit.record(ctx, { kind: `${record.kind}_restore`, subject: record.name })
  }

  serve(router, api.trash.restore, async ({ actor, input, ctx }) => {
    await restore(ctx, actor, input.id)
    return {}
  })

  serve(router, api.trash.restoreMany, ({ actor, input, ctx }) =>
    forEachId(input.trash_ids, (id) => restore(ctx, actor, id)),
  )

  const erase = async (ctx: Context, record: TrashRecord): Promise<void> => {
    await trash.purge(record)
    audit.record(ctx, { kind: `${record.kind}_erase`, subject: record.name })
  }

  const eraseOne = async (ctx: Context, actor: Actor, id: string): Promise<void> => {
    await erase(ctx, trashPolicy.require(actor, 'delete', trash.find(id)))
  }

  serve(router, api.trash.remove, async ({ actor, input, ctx }) => {
    await eraseOne(ctx, actor, input.id)
    return {}
  })

  serve(router, api.trash.removeMany, ({ actor, input, ctx }) =>
    forEachId(input.trash_ids, (id) => eraseOne(ctx, actor, id)),
  )

  serve(router, api.trash.empty, async ({ actor, ctx }) => {
    const records = trash.ownedBy(userIdOf(actor))
    for (const record of records) await erase(ctx, record)
    return { deleted: records.length }
  })
}

const presentTrashed = (record: TrashRecord, expiresAt: string): Trashed => ({
  trash_id: record.id,
  kind: record.kind,
  name: record.name,
  size: record.size,
  deleted_at: record.deletedAt,
  expires_at: expiresAt,
})
