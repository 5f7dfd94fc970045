import { platformOfFilename } from '../../../../server/contract'

export function commonPlatform(filenames: readonly string[]): string {
  const found = new Set(filenames.map(platformOfFilename))
  const [only] = found
  return found.size === 1 && only ? only : ''
}
