/** Releases on one page of their list. */
export const RELEASES_A_PAGE = 20

/** The path of a file of a release, or of the release's page. `base`: the path of its project. */
export function releaseAddress(base: string, version: string, filename?: string): string {
  const page = `${base}/releases/${segment(version)}`
  return filename === undefined ? page : `${page}/${segment(filename)}`
}

/** Half of a surrogate pair has no place in an address. */
const segment = (text: string) => encodeURIComponent(text.toWellFormed())
