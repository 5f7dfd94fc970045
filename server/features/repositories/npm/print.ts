import type { Package } from '../packages'
import type { PlacedFile } from '../repository'

/** A version of a package. Its path is relative to the registry. */
export interface Version extends Pick<Package<'npm'>, 'index' | keyof PlacedFile> {
  /** The semantic version as npm compares it, without build metadata. */
  version: string
  /** UTC ISO 8601. */
  addedAt: string
}

/**
 * Prints a package's entry in the registry (npm's registry API, "packument"). `tags`: the version
 * of each `dist-tag`.
 */
export function printPackument(
  name: string,
  versions: readonly Version[],
  tags: ReadonlyMap<string, string>,
  address: string,
): string {
  const times = versions.map(({ addedAt }) => addedAt).sort()

  return JSON.stringify({
    _id: name,
    name,
    'dist-tags': Object.fromEntries(tags),
    versions: Object.fromEntries(
      versions.map(({ version, index, path }) => [
        version,
        {
          ...index.manifest,
          _id: `${name}@${version}`,
          name,
          version,
          ...(index.hasInstallScript && { hasInstallScript: true }),
          dist: {
            tarball: `${address}/${path}`,
            integrity: `sha512-${index.sha512}`,
            shasum: index.sha1,
          },
        },
      ]),
    ),
    time: {
      created: times[0],
      modified: times.at(-1),
      ...Object.fromEntries(versions.map(({ version, addedAt }) => [version, addedAt])),
    },
  })
}
