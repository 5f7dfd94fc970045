import type { Host } from '../../contract'
import { READER } from '../../core/errors'
import type { HeldFolder } from './presence'
import type { Library } from '../library/library'

/** Why this host cannot save now; null: it can. */
export function saveFailure(held: HeldFolder, library: Library): Host['trouble'] {
  if (held.isGone) return 'missing'
  // What a reader cannot save, the writer of its cluster can.
  if (library.refusedFor === undefined || library.refusedFor === READER) return null
  return ['ENOSPC', 'EDQUOT'].includes(library.refusedFor) ? 'full' : 'failing'
}
