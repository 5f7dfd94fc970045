import type { PackageSummary } from '../../data/records/file-records'

/** The fields of a file that may contain the name of its package. */
interface Named {
  filename: string
  facts?: PackageSummary | null | undefined
}

/** The longest name of a package, as npm limits it. */
const MOST_LENGTH = 214
const ARCHIVE = /\.(?:tgz|whl|zip|tar(?:\.\w{1,4})?)$/i

/**
 * Folds the spellings of a name that a client of npm or pip could confuse. `@acme/rocket` packs as
 * `acme-rocket`.
 */
export const foldPackageName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^@/, '')
    .replace(/[-_./]+/g, '-')
    .slice(0, MOST_LENGTH)

/**
 * Returns every name that an archive may have as a package, folded: the one that it contains, and
 * those that its filename begins with, because clients read archives that the host cannot.
 */
export function claimNames({ filename, facts }: Named): string[] {
  const isPackage = facts?.kind === 'npm' || facts?.kind === 'whl'
  const names = isPackage && facts.appId != null ? [facts.appId] : []

  if (ARCHIVE.test(filename)) {
    const stem = filename.replace(ARCHIVE, '')
    const beforeVersions = [...stem.matchAll(/[-_]v?\d/gi)]
      .slice(0, 4)
      .map(({ index }) => stem.slice(0, index))
    names.push(stem, ...beforeVersions)
  }

  return [...new Set(names.map(foldPackageName))].filter((name) => name !== '')
}
