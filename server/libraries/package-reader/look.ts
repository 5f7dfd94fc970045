import type { Facts, PackageKind } from '../../contract/files/facts'

/** The result of reading a package. */
export interface Look {
  facts: Facts
  /** A PNG of at most 512 kB and 1,024 pixels a side. */
  icon: Buffer | null
}

/** The message tells people why a package has no facts. Any other error means that it is damaged. */
export class Unreadable extends Error {}

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
