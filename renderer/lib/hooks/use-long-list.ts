import { keepPreviousData, useInfiniteQuery, type QueryKey } from '@tanstack/react-query'

export interface ListPage<Item> {
  items: readonly Item[]
  total: number
}

interface LongList<Item> {
  queryKey: QueryKey
  limit: number
  load: (page: { limit: number; offset: number }, signal: AbortSignal) => Promise<ListPage<Item>>
  idOf: (item: Item) => string
}

/** A paginated list: the loaded items, and how to load more. */
export function useLongList<Item>({ queryKey, limit, load, idOf }: LongList<Item>) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => load({ limit, offset: pageParam }, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => nextOffset(last, pages),
    placeholderData: keepPreviousData,
  })
  const pages = query.data?.pages

  return {
    ...query,
    data:
      pages &&
      removeRepeats(
        pages.flatMap(({ items }) => items),
        idOf,
      ),
    total: pages?.at(-1)?.total,
  }
}

export async function loadAll<Item>(
  load: (page: { offset: number }) => Promise<ListPage<Item>>,
  idOf: (item: Item) => string,
): Promise<Item[]> {
  const pages: ListPage<Item>[] = []
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const page: ListPage<Item> = await load({ offset })
    pages.push(page)
    offset = nextOffset(page, pages)
  }
  return removeRepeats(
    pages.flatMap(({ items }) => items),
    idOf,
  )
}

function nextOffset(
  { items, total }: ListPage<unknown>,
  pages: readonly ListPage<unknown>[],
): number | undefined {
  const loaded = pages.reduce((sum, page) => sum + page.items.length, 0)
  return items.length > 0 && loaded < total ? loaded : undefined
}

/** An item added at the front shifts the last item of a page onto the next one. */
export function removeRepeats<Item>(items: readonly Item[], idOf: (item: Item) => string): Item[] {
  return [...new Map(items.map((item) => [idOf(item), item])).values()]
}
