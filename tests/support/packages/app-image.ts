import { createHash, randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'

/** Bytes. */
export const BLOCK = 2 * 1024
const BLOCKS = 4000
/**
 * Runs as a program and ends at once, as an AppImage does that is started only to be put in place.
 */
const PROGRAM = Buffer.from('#!/bin/sh\nexit 0\n'.padEnd(BLOCK, '\n'))

/**
 * What an updater takes for an AppImage: a program, with the map of its blocks behind it, as
 * electron-builder makes it.
 */
export interface AppImage {
  bytes: Buffer
  blockMapSize: number
}

/** A random program of 8 MB. */
export const someBlocks = (): Buffer[] => [
  PROGRAM,
  ...Array.from({ length: BLOCKS - 1 }, () => randomBytes(BLOCK)),
]

/**
 * The same with every eighth block replaced: 500 ranges, as many as electron-updater requests at
 * once.
 */
export const laterBlocks = (blocks: readonly Buffer[]): Buffer[] =>
  blocks.map((block, index) => (index % 8 === 7 ? randomBytes(BLOCK) : block))

export function appImage(blocks: readonly Buffer[]): AppImage {
  const checksums = blocks.map((block) => createHash('sha256').update(block).digest('base64'))
  const files = [{ name: 'file', offset: 0, checksums, sizes: blocks.map((block) => block.length) }]
  const map = deflateRawSync(JSON.stringify({ version: '2', files }))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(map.length)
  return { bytes: Buffer.concat([...blocks, map, length]), blockMapSize: map.length }
}

/** The `latest-linux.yml` that electron-builder writes for it. JSON is YAML too. */
export function feedOf(
  version: string,
  url: string,
  { bytes, blockMapSize }: AppImage,
  releaseNotes = '',
): string {
  const sha512 = createHash('sha512').update(bytes).digest('base64')
  const file = { url, sha512, size: bytes.length, blockMapSize }
  return JSON.stringify({ version, files: [file], path: url, sha512, releaseNotes })
}

/**
 * An AppImage for x64 with update information: its program has the sections `.upd_info` and
 * `.shstrtab` (https://github.com/AppImage/AppImageSpec/blob/master/draft.md#update-information).
 */
export function anAppImage(updates: string, content: Buffer): Uint8Array<ArrayBuffer> {
  const names = '\0.upd_info\0.shstrtab\0'
  const head = Buffer.alloc(1024)
  head.write('\u007fELF\u0002\u0001\u0001\0AI\u0002', 'latin1')
  head.writeUInt16LE(62, 18)
  head.writeBigUInt64LE(64n, 40)
  head.writeUInt16LE(64, 58)
  head.writeUInt16LE(3, 60)
  head.writeUInt16LE(2, 62)
  const section = (index: number, name: number, at: number, length: number) => {
    head.writeUInt32LE(name, 64 + index * 64)
    head.writeBigUInt64LE(BigInt(at), 64 + index * 64 + 24)
    head.writeBigUInt64LE(BigInt(length), 64 + index * 64 + 32)
  }
  section(1, 1, 512, updates.length)
  section(2, 11, 400, names.length)
  head.write(names, 400, 'latin1')
  head.write(updates, 512)
  return new Uint8Array(Buffer.concat([head, content]))
}
