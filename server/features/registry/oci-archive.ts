import { z } from 'zod'
import type { BytePart, ByteSource } from '../../core/byte-source'
import { parseJson } from '../../core/json'
import { sha256Of } from '../../core/sha256'
import { BlobPlaces } from './blob-places'

export const IMAGE_INDEX = 'application/vnd.oci.image.index.v1+json'
export const IMAGE_MANIFEST = 'application/vnd.oci.image.manifest.v1+json'

const BLOCK = 512
/** A real image has about 20 members. */
const MOST_MEMBERS = 1000
/** Headers of small members are close together: read this many bytes in one go. */
const WINDOW = 8 * BLOCK
/**
 * The most bytes of an archive's index and of a manifest. Real ones have a few kB; they are read
 * into memory.
 */
const MOST_INDEX_BYTES = 256 * 1024
export const MOST_MANIFEST_BYTES = 1024 * 1024

/** A tar file with an OCI image layout. */
export interface OciArchive {
  /** Blobs by the digest in their names. Clients verify the bytes. */
  blobs: BlobPlaces
  /** The digest of the only image, or of the index if there are several images. */
  top: string
  /** The place of the index, if the archive has several images. */
  index: BytePart | undefined
}

const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/)
const indexSchema = z.object({ manifests: z.array(z.object({ digest })).min(1) })

/** Reads the members of an archive. Returns undefined for other files and damaged archives. */
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
  const top = isOne ? first.digest : `sha256:${sha256Of(bytes, 'hex')}`
  return { blobs: new BlobPlaces(new Map(blobs)), top, index: isOne ? undefined : place }
}

/** Reads the bytes of a member. Throws `RangeError` if the archive is too short. */
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

/** Reads the files of a tar by name (POSIX ustar). Returns an empty map for other files. */
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

/**
 * Reads a size: octal, or for members of 8 GiB and more 11 binary bytes after a set bit (GNU tar).
 */
function lengthIn(header: Buffer): number {
  if (header.readUInt8(124) === 0x80) return Number(header.readBigUInt64BE(128))
  return Number.parseInt(header.toString('latin1', 124, 136), 8)
}
