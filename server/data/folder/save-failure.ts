import type { Host } from '../../contract'
import { DATABASE_FULL, READ_ONLY_HOST } from '../../core/errors'
import type { HeldFolder } from './presence'
import type { Library } from '../library/library'

/**
 * Why this host cannot save now. Returns null if it can. `elsewhere`: why
 * the process that makes changes cannot, if it is not this one.
 */
export function saveFailure(
  held: Pick<HeldFolder, 'isGone'>,
  library: Pick<Library, 'refusedFor'>,
  elsewhere: Host['trouble'] = null,
): Host['trouble'] {
  if (held.isGone) return 'missing'
  if (library.refusedFor === READ_ONLY_HOST) return elsewhere
  if (library.refusedFor === undefined) return null
  if (library.refusedFor === DATABASE_FULL) return 'database_full'
  return ['ENOSPC', 'EDQUOT'].includes(library.refusedFor) ? 'full' : 'failing'
}
