import { platformOfFilename } from '../../../../server/contract'

/** The common platform by filename, or '' if they differ. */
export function commonPlatform(filenames: readonly string[]): string {
  const found = new Set(filenames.map(platformOfFilename))
  const [only] = found
  return found.size === 1 && only ? only : ''
}
