import type { Host } from '../../contract'
import { READER } from '../../core/errors'
import type { HeldFolder } from './presence'
import type { Library } from '../library/library'

/**
 * Why this host cannot save now. Returns null if it can. `writer`: for a host that only reads, the
 * failure of its writer.
 */
export function saveFailure(
  held: HeldFolder,
  library: Library,
  writer: Host['trouble'] = null,
): Host['trouble'] {
  if (held.isGone) return 'missing'
  if (library.refusedFor === READER) return writer
  if (library.refusedFor === undefined) return null
  return ['ENOSPC', 'EDQUOT'].includes(library.refusedFor) ? 'full' : 'failing'
}
