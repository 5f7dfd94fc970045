import type { Host } from '../../contract'
import type { HeldFolder } from './presence'
import type { Library } from '../library/library'

/** Why this host cannot save now; null: it can. */
export function saveFailure(held: HeldFolder, library: Library): Host['trouble'] {
  if (held.isGone) return 'missing'
  if (library.refusedFor === undefined) return null
  return ['ENOSPC', 'EDQUOT'].includes(library.refusedFor) ? 'full' : 'failing'
}
