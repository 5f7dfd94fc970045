import { recordSchemas, type CollectionName } from '../records/records'

/** All collections of the library, in the order of its snapshots. */
export const collectionNames = Object.keys(recordSchemas) as CollectionName[]

export interface LibraryData {
  collections: Record<CollectionName, Map<string, object>>
  counters: Map<string, number>
}

/** One step of a transaction. Idempotent, so that a snapshot can be taken during writes. */
export type Op =
  | readonly ['put', CollectionName, string, object]
  | readonly ['delete', CollectionName, string]
  | readonly ['counter', string, number | null]

export function emptyLibrary(): LibraryData {
  const maps = collectionNames.map((name) => [name, new Map()] as const)
  return {
    collections: Object.fromEntries(maps) as LibraryData['collections'],
    counters: new Map(),
  }
}

/** Whether a step from another source is known and complete. */
export function isKnown(op: Op): boolean {
  if (op[0] === 'counter') return true
  if (!Object.hasOwn(recordSchemas, op[1]) || typeof op[2] !== 'string') return false
  switch (op[0]) {
    case 'put':
      return typeof op[3] === 'object' && (op[3] as unknown) !== null
    case 'delete':
      return true
    default:
      return false
  }
}

/** Applies a step read from disk. Returns false for an unknown step. */
export function replay(data: LibraryData, op: Op): boolean {
  if (!isKnown(op)) return false
  if (op[0] === 'counter') {
    if (op[2] === null) data.counters.delete(op[1])
    else data.counters.set(op[1], op[2])
  } else if (op[0] === 'put') data.collections[op[1]].set(reuseId(op[2], op[3]), op[3])
  else data.collections[op[1]].delete(op[2])
  return true
}

/** Records mostly contain their own id: reuse that string to save memory. */
const reuseId = (id: string, value: { id?: unknown }): string => (value.id === id ? value.id : id)
