import type { Host } from '../../contract'
import { READ_ONLY_HOST } from '../../core/errors'
import type { HeldFolder } from './presence'
import type { Library } from '../library/library'

/**
 * Why this host cannot save now. Returns null if it can. `primary`: for a host that only reads, the
 * failure of its primary.
 */
export function saveFailure(
  held: HeldFolder,
  library: Library,
  primary: Host['trouble'] = null,
): Host['trouble'] {
  if (held.isGone) return 'missing'
  if (library.refusedFor === READ_ONLY_HOST) return primary
  if (library.refusedFor === undefined) return null
  return ['ENOSPC', 'EDQUOT'].includes(library.refusedFor) ? 'full' : 'failing'
}
