import { createHash } from 'node:crypto'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { inflateRawSync } from 'node:zlib'
import { BlockMap } from './block-map.ts'
import { readUpdateInfo, ZsyncSums } from './zsync.ts'
import type { UpdateAnswer, UpdateOrder } from './update-digest.ts'

// Node also runs this file unbundled: imports must name `.ts` files, and types must be erasable.

const PART = 256 * 1024
/** The host may pause the work after this many bytes. */
const PAUSE_BYTES = 16 * 1024 * 1024
/** Limits the map in an AppImage, in bytes unpacked: a file of 2 GB has one of 3 MB. */
const MOST_INFLATED = 32 * 1024 * 1024

const { path, size, map } = workerData as UpdateOrder
const slab = Buffer.allocUnsafeSlow(PART)

const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
try {
  const blocks = map === 'make' ? new BlockMap() : undefined
  const sums = map === 'zsync' && namesZsync() ? new ZsyncSums(size) : undefined
  const sha512 = createHash('sha512')
  const sha1 = createHash('sha1')
  for (let at = 0; at < size;) {
    const bytes = part(at, Math.min(PART, size - at))
    sha512.update(bytes)
    sha1.update(bytes)
    blocks?.add(bytes)
    sums?.add(bytes)
    if (Math.floor(at / PAUSE_BYTES) !== Math.floor((at + bytes.length) / PAUSE_BYTES))
      await pause()
    at += bytes.length
  }
  answer({
    sha512: sha512.digest('base64'),
    sha1: sha1.digest('hex'),
    blockMap: blocks?.end(),
    zsync: sums?.end(),
    inside: map === 'find' ? mapInside() : undefined,
  })
} finally {
  closeSync(fd)
}

/** Reads exactly these bytes into the slab. */
function part(at: number, length: number): Buffer {
  const read = readSync(fd, slab, 0, length, at)
  if (read === 0) throw new Error('The file is shorter than its record says')
  return slab.subarray(0, read)
}

function namesZsync(): boolean {
  try {
    return readUpdateInfo(part, size).startsWith('zsync|')
  } catch {
    return false
  }
}

async function pause(): Promise<void> {
  answer('pause')
  if (parentPort) await once(parentPort, 'message')
}

/**
 * Length of the block map at the end of an AppImage: raw deflate of JSON, then its length in 4
 * bytes (app-builder-lib, targets/blockmap). 0 without one.
 */
function mapInside(): number {
  if (size < 4) return 0
  const length = part(size - 4, 4).readUInt32BE()
  const start = size - 4 - length
  if (length === 0 || length > MOST_INFLATED || start < 0) return 0

  const packed = Buffer.alloc(length)
  for (let read = 0; read < length;) {
    const bytes = part(start + read, Math.min(PART, length - read))
    read += bytes.copy(packed, read)
  }

  try {
    const blockMap = JSON.parse(
      inflateRawSync(packed, { maxOutputLength: MOST_INFLATED }).toString(),
    ) as unknown
    return typeof blockMap === 'object' ? length : 0
  } catch {
    return 0
  }
}

function answer(message: UpdateAnswer): void {
  parentPort?.postMessage(message)
}
