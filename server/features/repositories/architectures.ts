/** The most architectures of a repository, and the most characters of all their lists. */
const MOST_ARCHITECTURES = 24
const MOST_LENGTH = 8 * 1024 * 1024

interface Rules<Listed> {
  /** Architectures that always get a list, because clients ask for their own. */
  usual: readonly string[]
  /** What packages for every architecture state. They are in each list. */
  forAll: string
  /** About how many characters a package has in a list. */
  lengthOf: (listed: Listed) => number
}

/**
 * Groups packages by architecture, the first ones as far as all lists together stay small: a few
 * packages for all architectures would fill any number of lists.
 */
export function groupByArchitecture<Listed extends { index: { architecture: string } }>(
  packages: readonly Listed[],
  { usual, forAll, lengthOf }: Rules<Listed>,
): [architecture: string, listed: Listed[]][] {
  const own = packages.map(({ index }) => index.architecture).filter((name) => name !== forAll)
  const names = [...new Set([...usual, ...own])].slice(0, MOST_ARCHITECTURES).sort()
  const groups = names.map((name): [string, Listed[]] => [name, []])

  let left = MOST_LENGTH
  for (const listed of packages) {
    const { architecture } = listed.index
    const lists = groups.filter(([name]) => architecture === forAll || architecture === name)

    left -= lengthOf(listed) * lists.length
    if (left < 0) break
    for (const [, group] of lists) group.push(listed)
  }

  return groups
}
