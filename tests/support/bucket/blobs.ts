import { createHash, randomBytes } from 'node:crypto'
import { memorySource } from '../../../server/core/byte-source'
import { newBlobId } from '../../../server/data/blobs/blob-names'
import type { Source } from '../../../server/data/bucket/copies/copy'

const MIB = 1024 * 1024

/** Three parts, the last one of an odd size. */
const ODD_SIZE = 41 * MIB + 12_345

/** Random bytes under a new blob id, ready to be copied. */
export function someBlob(size = ODD_SIZE): Source & { bytes: Buffer } {
  const bytes = randomBytes(size)
  return {
    bytes,
    blobId: newBlobId(),
    size,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    filename: 'café "1" 日本.apk',
    type: 'application/vnd.android.package-archive',
    owner: 'a-host',
    open: () => Promise.resolve(memorySource(bytes)),
  }
}
