import { collectionNames, type LibraryData } from '../library/library-data'
import type { CollectionName } from '../records/records'

/** The losses of one collection: names of records, or their number if they have no names. */
interface Dropped {
  collection: CollectionName
  added: string[]
  changed: string[]
  deleted: string[]
}

/** How many of each kind to show. The list in the copy is complete. */
const SHOWN = 10
/** Posts are named by their beginning. */
const NAME_CHARS = 60

/** The changes of a branch since `before` that the kept library does not have. */
export function droppedFrom(
  branch: LibraryData,
  before: LibraryData,
  library: LibraryData,
): Dropped[] {
  return collectionNames.map((collection) => {
    const now = branch.collections[collection]
    const then = before.collections[collection]
    const stays = library.collections[collection]
    const dropped: Dropped = { collection, added: [], changed: [], deleted: [] }

    for (const [id, record] of now) {
      if (isSame(record, then.get(id)) || isSame(record, stays.get(id))) continue
      dropped[then.has(id) ? 'changed' : 'added'].push(nameOf(record))
    }

    for (const [id, record] of then)
      if (!now.has(id) && stays.has(id)) dropped.deleted.push(nameOf(record))

    return dropped
  })
}

const isSame = (a: object, b: object | undefined) =>
  b !== undefined && JSON.stringify(a) === JSON.stringify(b)

/** What people call a record. Empty for records without names, such as sessions. */
export function nameOf(record: object): string {
  const { filename, title, username, name, content, version } = record as Readonly<
    Record<string, unknown>
  >
  const recordName = [filename, title, username, name, content, version].find(
    (value) => typeof value === 'string',
  )
  return typeof recordName === 'string'
    ? recordName.replaceAll(/\s+/g, ' ').slice(0, NAME_CHARS)
    : ''
}

export function describeDropped(dropped: readonly Dropped[], limit = SHOWN): string[] {
  return dropped.flatMap(({ collection, added, changed, deleted }) => {
    const kinds = [
      [added, 'new'],
      [changed, 'changed'],
      [deleted, 'deleted'],
    ] as const

    const parts = kinds
      .filter(([names]) => names.length > 0)
      .map(([names, kind]) => describeKind(names, kind, limit))
    return parts.length === 0 ? [] : [`  ${collection}: ${parts.join('; ')}`]
  })
}

function describeKind(names: readonly string[], kind: string, limit: number): string {
  const named = names.filter((name) => name !== '')
  if (named.length === 0) return `${names.length} ${kind}`
  const more = named.length > limit ? `, and ${named.length - limit} more` : ''
  return `${names.length} ${kind} (${named.slice(0, limit).join(', ')}${more})`
}
