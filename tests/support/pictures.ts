import { crc32, deflateSync } from 'node:zlib'
import type { PictureRecord } from '../../server/data/records/project-records'
import type { TestServer } from './world/test-server'

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A chunk of a PNG. */
export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([u32(data.length), body, u32(crc32(body))])
}

interface PngFields {
  width: number
  height?: number
  /** Bits a channel, and the kind of pixels as PNG counts them; default: 8 bits, RGB. */
  depth?: number
  kind?: number
  isInterlaced?: boolean
  /** Of all pixels. */
  value?: number
  /** What the header says, if it lies. */
  claimed?: { width: number; height: number }
  /** Between the header and the pixels. */
  chunks?: Buffer[]
}

const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** A PNG of one color. */
export function aPicture({
  width,
  height = width,
  depth = 8,
  kind = 2,
  value = 0x66,
  ...fields
}: PngFields): Buffer {
  const { isInterlaced = false, claimed = { width, height }, chunks = [] } = fields
  const row = Buffer.alloc(1 + Math.ceil((width * (CHANNELS[kind] ?? 1) * depth) / 8), value)
  row[0] = 0
  const header = Buffer.concat([
    u32(claimed.width),
    u32(claimed.height),
    Buffer.from([depth, kind, 0, 0, isInterlaced ? 1 : 0]),
  ])
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1A\n', 'latin1'),
    pngChunk('IHDR', header),
    ...chunks,
    pngChunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

type Planted = Pick<PictureRecord, 'kind' | 'alt'> & { width: number; height: number }

/**
 * Gives a project these pictures, as if they had been made: the file has the bytes of both sizes of
 * each.
 */
export async function plantPictures(
  { inside: { library, files } }: TestServer,
  projectId: string,
  fileId: string,
  pictures: readonly Planted[],
): Promise<void> {
  const { blobId, size, sha256, uploadedAt: addedAt } = files.find(fileId)!
  const records = pictures.map(({ width, height, ...picture }, at): PictureRecord => {
    const half = { width: Math.round(width / 2), height: Math.round(height / 2) }
    const sizes = [{ width, height }, half].map((it) => ({ ...it, size: Math.floor(size / 2) }))
    const id = (at + 1).toString(16).padStart(32, '0')
    return { ...picture, id, color: '#0b6d66', width, height, sizes, blobId, size, sha256, addedAt }
  })
  const projects = library.collection('projects')
  await library.transact((tx) =>
    tx.put(projects, projectId, { ...projects.get(projectId)!, pictures: records }),
  )
}
