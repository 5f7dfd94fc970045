/** Reads this many files of a folder at a time: one by one, thousands would take minutes. */
const AT_ONCE = 32

/**
 * Does something with each item, some at a time, and returns the results in their order. Rejects
 * with the first failure.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let start = 0; start < items.length; start += AT_ONCE)
    results.push(...(await Promise.all(items.slice(start, start + AT_ONCE).map(work))))
  return results
}
