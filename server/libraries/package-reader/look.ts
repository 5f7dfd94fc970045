import type { Facts } from '../../contract/files/facts'
import type { PackageKind } from '../../contract/files/formats'
import type { PackageIndex } from '../../contract/files/package-index'

/** The index entry of a package for repositories, or a sentence on why there is none. */
export type IndexResult = PackageIndex | { reason: string }

/** The result of reading a package. */
export interface Look {
  facts: Facts
  /** A PNG of at most 512 kB and 1,024 pixels a side. */
  icon: Buffer | null
  /** Undefined: a format that no repository lists. */
  index?: IndexResult
  /** The devices in a provisioning profile, in lower case; undefined: it names none. */
  devices?: readonly string[] | undefined
}

/**
 * A package without facts; the message is for people. Any other error means that the package is
 * damaged.
 */
export class Unreadable extends Error {}

/** A package that no device installs alone. */
export class PartOfPackage extends Unreadable {}

/** Empty facts, which readers override. */
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
