import { collectionNames, type LibraryData } from '../library/library-data'
import type { CollectionName } from '../records/records'

/** The losses of one collection: names of records, or their number if they have no names. */
interface Dropped {
  collection: CollectionName
  added: string[]
  changed: string[]
  deleted: string[]
}

/** How many of each kind are shown; the list in the copy has all. */
const SHOWN = 10
/** Posts are named by their beginning. */
const NAME_CHARS = 60

/** The changes of a branch since `before` that the kept library does not have. */
export function droppedFrom(branch: LibraryData, before: LibraryData, kept: LibraryData): Dropped[] {
  return collectionNames.map((collection) => {
    const now = branch.collections[collection]
    const then = before.collections[collection]
    const stays = kept.collections[collection]
    const dropped: Dropped = { collection, added: [], changed: [], deleted: [] }
    for (const [id, record] of now) {
      if (isSame(record, then.get(id)) || isSame(record, stays.get(id))) continue
      dropped[then.has(id) ? 'changed' : 'added'].push(nameOf(record))
    }
    for (const [id, record] of then) if (!now.has(id) && stays.has(id)) dropped.deleted.push(nameOf(record))
    return dropped
  })
}

const isSame = (a: object, b: object | undefined) => b !== undefined && JSON.stringify(a) === JSON.stringify(b)

/** Empty for records without names, such as sessions. */
function nameOf(record: object): string {
  const { filename, title, username, name, content } = record as Readonly<Record<string, unknown>>
  const found = [filename, title, username, name, content].find((value) => typeof value === 'string')
  return typeof found === 'string' ? found.replaceAll(/\s+/g, ' ').slice(0, NAME_CHARS) : ''
}

export function describeDropped(dropped: readonly Dropped[], shown = SHOWN): string[] {
  return dropped.flatMap(({ collection, added, changed, deleted }) => {
    const kinds = [
      [added, 'new'],
      [changed, 'changed'],
      [deleted, 'deleted'],
    ] as const
    const told = kinds.filter(([names]) => names.length > 0).map(([names, kind]) => describeKind(names, kind, shown))
    return told.length === 0 ? [] : [`  ${collection}: ${told.join('; ')}`]
  })
}

function describeKind(names: readonly string[], kind: string, shown: number): string {
  const named = names.filter((name) => name !== '')
  if (named.length === 0) return `${names.length} ${kind}`
  const more = named.length > shown ? `, and ${named.length - shown} more` : ''
  return `${names.length} ${kind} (${named.slice(0, shown).join(', ')}${more})`
}
