import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { BytePart, ByteSource } from '../../core/byte-source'
import { parseJson } from '../../core/json'
import { BlobPlaces } from './blob-places'

export const IMAGE_INDEX = 'application/vnd.oci.image.index.v1+json'
export const IMAGE_MANIFEST = 'application/vnd.oci.image.manifest.v1+json'

const BLOCK = 512
/** An image has some 20 members. */
const MOST_MEMBERS = 1000
/** Headers of small members follow each other closely: so many bytes are read at once. */
const WINDOW = 8 * BLOCK
/**
 * The list of images of an archive, and a manifest, in bytes. Real ones have some kB; they are read
 * in memory.
 */
const MOST_INDEX_BYTES = 256 * 1024
export const MOST_MANIFEST_BYTES = 1024 * 1024

/** A file that is a tar of an OCI image layout. */
export interface OciArchive {
  /** Whether the bytes have the digest of their name is for clients to check. */
  blobs: BlobPlaces
  /** The digest of its only image, or of the list of its images. */
  top: string
  /** The place of the list of its images, where it has several. */
  index: BytePart | undefined
}

const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/)
const indexSchema = z.object({ manifests: z.array(z.object({ digest })).min(1) })

/** Reads the members of an archive. Undefined: another file, or a damaged one. */
export async function readOciArchive(
  source: Pick<ByteSource, 'read'>,
  size: number,
): Promise<OciArchive | undefined> {
  const members = await readMembers(source, size)
  const place = members.has('oci-layout') ? members.get('index.json') : undefined
  if (!place || place.size > MOST_INDEX_BYTES) return undefined
  const bytes = await readBytes(source, place)
  const index = indexSchema.safeParse(parseJson(bytes.toString('utf8')))
  if (!index.success) return undefined
  const [first, ...others] = index.data.manifests
  const blobs = [...members].flatMap(([name, member]) => {
    const [, hex] = /^blobs\/sha256\/([0-9a-f]{64})$/.exec(name) ?? []
    return hex === undefined ? [] : [[hex, member] as const]
  })
  const isOne = others.length === 0 && first !== undefined
  const top = isOne ? first.digest : `sha256:${createHash('sha256').update(bytes).digest('hex')}`
  return { blobs: new BlobPlaces(new Map(blobs)), top, index: isOne ? undefined : place }
}

/** Reads the bytes of a member. Throws if the archive is shorter. */
export async function readBytes(
  source: Pick<ByteSource, 'read'>,
  { offset, size }: BytePart,
): Promise<Buffer> {
  const bytes = Buffer.alloc(size)
  for (let filled = 0; filled < size;) {
    const { bytesRead } = await source.read(bytes, filled, size - filled, offset + filled)
    if (bytesRead === 0) throw new RangeError('The file is shorter than it was')
    filled += bytesRead
  }
  return bytes
}

/** The files of a tar by name (POSIX ustar). Empty if it is none. */
async function readMembers(
  source: Pick<ByteSource, 'read'>,
  size: number,
): Promise<ReadonlyMap<string, BytePart>> {
  const members = new Map<string, BytePart>()
  let window: { offset: number; bytes: Buffer } = { offset: 0, bytes: Buffer.alloc(0) }
  for (let at = 0, count = 0; at + BLOCK <= size && count < MOST_MEMBERS; count++) {
    if (at + BLOCK > window.offset + window.bytes.length) {
      const part = { offset: at, size: Math.min(WINDOW, size - at) }
      window = { offset: at, bytes: await readBytes(source, part) }
    }
    const header = window.bytes.subarray(at - window.offset, at - window.offset + BLOCK)
    if (header.readUInt8(0) === 0) break
    const length = lengthIn(header)
    if (!(length >= 0 && at + BLOCK + length <= size)) return new Map()
    const [name = ''] = header.toString('latin1', 0, 100).split('\0', 1)
    const isFile = ['0', '\0'].includes(header.toString('latin1', 156, 157))
    if (isFile) members.set(name.replace(/^\.\//, ''), { offset: at + BLOCK, size: length })
    at += BLOCK + Math.ceil(length / BLOCK) * BLOCK
  }
  return members
}

/** Octal, or for members of 8 GiB and more a number of 11 bytes behind a set bit (GNU tar). */
function lengthIn(header: Buffer): number {
  if (header.readUInt8(124) === 0x80) return Number(header.readBigUInt64BE(128))
  return Number.parseInt(header.toString('latin1', 124, 136), 8)
}
