import type { File } from '../../../../server/contract'
import { DAMAGED_OWN } from '../../../../server/texts/files/damaged-file'
import { bucketTroubles } from '../../../../server/texts/files/bucket-troubles'

/** Warnings for the owner of a file about its bytes, and its copy in the bucket. */
export const copyWarnings = ({
  mirror,
  is_damaged,
}: Partial<Pick<File, 'mirror' | 'is_damaged'>>) =>
  is_damaged
    ? [{ code: 'damaged', message: DAMAGED_OWN }]
    : mirror === 'damaged' || mirror === 'late' || mirror === 'failed'
      ? [{ code: mirror, message: bucketTroubles[mirror] }]
      : []
