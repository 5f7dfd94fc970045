import type { FactsSummary } from '../../contract/files/facts'

/** The first build of Windows 11 (Microsoft Learn, “Windows 11 release information”). */
const WINDOWS_11 = 22_000

/** The least system: `Android 8 or later`, from `Android 8.0`. */
export function systemWords(minOs: string): string {
  const build = /^Windows 10\.0\.(\d+)/.exec(minOs)?.[1]
  const name = build === undefined ? minOs : `Windows ${Number(build) < WINDOWS_11 ? 10 : 11}`
  return `${name.replace(/(\d)(?:\.0)+$/, '$1')} or later`
}

/** Version and build, such as `1.4 (104)`. Null if the package has neither. */
export function versionWords({
  version,
  build,
}: Pick<FactsSummary, 'version' | 'build'>): string | null {
  if (version === null) return build === null ? null : `Build ${build}`
  return build === null || build === version ? version : `${version} (${build})`
}

/**
 * One line about a package, such as `1.4 (104) · Android 8 or later · arm64`. Empty without
 * facts.
 */
export function factsLine(
  facts: Pick<FactsSummary, 'version' | 'build' | 'min_os' | 'architectures' | 'debug'>,
): string {
  const parts = [
    versionWords(facts),
    facts.min_os === null ? null : systemWords(facts.min_os),
    facts.architectures.join(', '),
    facts.debug ? 'Debug build' : null,
  ]
  return parts.filter(Boolean).join(' · ')
}
