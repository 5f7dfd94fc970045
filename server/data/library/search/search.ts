import type { Order } from '../indexes'

/** The fields of a record that the text index uses. */
export interface TextFacts<T> {
  /** Lower-case text. */
  text(value: T): string
  owner(value: T): string
  isPublic(value: T): boolean
  /** Newest first. */
  order: Order<T>
}

export interface Search {
  /** Lower-case text. Empty matches all records. */
  text: string
  /** Only records of this owner. */
  owner?: string
  isPublic?: boolean | undefined
  /** Owners whose name has the text: all their records match. */
  isNameMatch?: (ownerId: string) => boolean
  /** Ids of records to leave out. */
  without?: ReadonlySet<string>
}

export type Page = Readonly<Record<'limit' | 'offset', number>>

/** One page of results, and the number of all matches. */
export interface ResultPage<T> {
  values: readonly T[]
  total: number
}

/** One page of a list. */
export const cut = <T>(all: readonly T[], { limit, offset }: Page): ResultPage<T> => ({
  values: all.slice(offset, offset + limit),
  total: all.length,
})
