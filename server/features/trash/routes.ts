import type Router from '@koa/router'
import { isUser, userIdOf } from '../../access/actor'
import { definePolicy } from '../../access/policy'
import type { AppContext } from '../../context'
import { api, type Trashed } from '../../contract'
import { serve } from '../../http/serve'
import type { TrashRecord } from './trash'

const trashPolicy = definePolicy<TrashRecord>()('Deleted item', {
  read: (actor, record) => isUser(actor, record.ownerId),
  restore: (actor, record) => isUser(actor, record.ownerId),
  delete: (actor, record) => isUser(actor, record.ownerId),
})

export function trashRoutes(router: Router, { trash, quota }: AppContext): void {
  const present = (record: TrashRecord): Trashed => ({
    trash_id: record.id,
    kind: record.kind,
    name: record.name,
    size: record.size,
    deleted_at: record.deletedAt,
    expires_at: trash.expiresAt(record),
  })

  serve(router, api.trash.list, ({ actor, input }) => {
    const all = trash.ownedBy(userIdOf(actor))
    return { items: all.slice(input.offset, input.offset + input.limit).map(present), total: all.length }
  })

  serve(router, api.trash.restore, async ({ actor, input }) => {
    const record = trashPolicy.require(actor, 'restore', trash.find(input.id))
    await trash.restore(record, () => {
      quota.require(record.ownerId, record.size)
    })
    return {}
  })

  serve(router, api.trash.remove, async ({ actor, input }) => {
    await trash.purge(trashPolicy.require(actor, 'delete', trash.find(input.id)))
    return {}
  })
}
