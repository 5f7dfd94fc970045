import { newestOf, type Build, type Feed } from './feed'

/**
 * Returns how a Windows program is installed. Facts that were read by earlier versions name no
 * processor for an installer.
 */
export function installerOf({
  extension,
  filename,
  facts,
  details,
}: Build): 'program' | 'nullsoft' | 'inno' | 'wix' | 'msix' | 'zip' {
  if (extension === 'zip') return 'zip'
  if (extension === 'msi') return 'wix'
  if (extension !== 'exe') return 'msix'

  if (details?.installer === 'inno') return 'inno'

  const isNullsoft =
    details?.installer === undefined
      ? facts?.architectures === undefined
      : details.installer === 'nsis'

  return isNullsoft || /setup|install/i.test(filename) ? 'nullsoft' : 'program'
}

/**
 * Chooses the best build of the newest release for each architecture, or `x64` if it is unknown.
 * `order`: preferred extensions.
 */
export function chooseBuilds(feed: Feed, order: readonly string[]): Map<string, Build> {
  const rank = ({ extension }: Build) => order.indexOf(extension)
  const sorted = newestOf(feed)
    .filter((build) => rank(build) >= 0)
    .sort((a, b) => rank(a) - rank(b))
  const chosen = new Map<string, Build>()
  for (const build of sorted)
    for (const name of build.architectures.length > 0 ? build.architectures : ['x64'])
      if (!chosen.has(name)) chosen.set(name, build)
  return chosen
}
