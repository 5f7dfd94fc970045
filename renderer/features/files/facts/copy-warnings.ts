import type { File } from '../../../../server/contract'
import { mirrorTroubles } from '../../../../server/texts/bucket-texts'

/** What the owner of a file should know about its copy in the bucket. */
export const copyWarnings = ({ mirror }: Partial<Pick<File, 'mirror'>>) =>
  mirror === 'damaged' || mirror === 'late' || mirror === 'failed'
    ? [{ code: mirror, message: mirrorTroubles[mirror] }]
    : []
