import type { File } from '../../../../server/contract'
import { bucketTroubles } from '../../../../server/texts/files/bucket-troubles'

/** Warnings for the owner of a file about its copy in the bucket. */
export const copyWarnings = ({ mirror }: Partial<Pick<File, 'mirror'>>) =>
  mirror === 'damaged' || mirror === 'late' || mirror === 'failed'
    ? [{ code: mirror, message: bucketTroubles[mirror] }]
    : []
