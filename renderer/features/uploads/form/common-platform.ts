import { platformOfFilename } from '../../../../server/contract'

/** The platform that all of these files are for, as their names tell, or '' when they do not agree. */
export function commonPlatform(filenames: readonly string[]): string {
  const found = new Set(filenames.map(platformOfFilename))
  const [only] = found
  return found.size === 1 && only ? only : ''
}
