import type { Facts, PackageKind } from '../../contract/files/facts'
import type { PackageIndex } from '../../contract/files/package-index'

/** What repositories list of a package, or why they cannot: a sentence for people. */
export type IndexResult = PackageIndex | { reason: string }

/** The result of reading a package. */
export interface Look {
  facts: Facts
  /** A PNG of at most 512 kB and 1,024 pixels a side. */
  icon: Buffer | null
  /** Undefined: a format that no repository lists. */
  index?: IndexResult
}

/**
 * The message tells people why a package has no facts. Any other error means that it is damaged.
 */
export class Unreadable extends Error {}

/** A package that no device installs alone. */
export class PartOfPackage extends Unreadable {}

/** Facts of a package that says nothing; readers override what they find. */
export const noFacts = (kind: PackageKind): Facts => ({
  kind,
  name: null,
  app_id: null,
  version: null,
  build: null,
  publisher: null,
  architectures: [],
  min_os: null,
  debug: false,
  is_signed: null,
  signer: null,
  android: null,
  apple: null,
})

const NO_INDEX = 'Slipway could not read everything that a repository needs of this package.'

/** Reads the index of a package. The facts remain when it cannot be read. */
export function readIndex(read: () => PackageIndex): IndexResult {
  try {
    return read()
  } catch (cause) {
    return { reason: cause instanceof Unreadable ? cause.message : NO_INDEX }
  }
}
