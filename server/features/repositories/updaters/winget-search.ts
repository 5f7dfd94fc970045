import type { z } from 'zod'
import type { wingetMatch, WingetSearch } from '../../../contract/projects/feeds'
import type { WingetPackage } from './winget'

type Match = z.output<typeof wingetMatch>

/**
 * Whether a package matches a search of winget. Unknown fields match nothing: winget uses them to
 * look for installed programs, and another publisher's program may have the same name.
 */
export function fitsSearch(
  candidate: WingetPackage,
  { Query, Inclusions = [], Filters = [] }: WingetSearch,
): boolean {
  const [newest] = candidate.Versions
  const { PackageName = '', Moniker = '' } = newest?.DefaultLocale ?? {}

  const fields: Readonly<Record<string, string>> = {
    PackageIdentifier: candidate.PackageIdentifier,
    PackageName,
    Moniker,
  }

  const hasField = ({ PackageMatchField: field, RequestMatch: match }: (typeof Filters)[number]) =>
    Object.hasOwn(fields, field) && isMatch(match, fields[field] ?? '')

  const isWanted =
    (Query === undefined && Inclusions.length === 0) ||
    (Query !== undefined && Object.values(fields).some((value) => isMatch(Query, value))) ||
    Inclusions.some(hasField)

  return isWanted && Filters.every(hasField)
}

function isMatch({ KeyWord, MatchType }: Match, value: string): boolean {
  const word = KeyWord.toLowerCase()
  const text = value.toLowerCase()
  if (MatchType === 'Exact') return value === KeyWord
  if (MatchType === 'CaseInsensitive') return text === word
  if (MatchType === 'StartsWith') return text.startsWith(word)
  return text.includes(MatchType === 'Wildcard' ? word.replace(/[*?]+/g, '') : word)
}

/** Presents the package as a search result. */
export const presentResult = ({ PackageIdentifier, Versions }: WingetPackage) => ({
  PackageIdentifier,
  PackageName: Versions[0]?.DefaultLocale.PackageName ?? '',
  Publisher: Versions[0]?.DefaultLocale.Publisher ?? '',
  Versions: Versions.map(({ PackageVersion }) => ({ PackageVersion })),
})
