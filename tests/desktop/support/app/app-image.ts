import { createHash, randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'

/** Bytes. */
export const BLOCK = 2 * 1024
const BLOCKS = 4000
/** Runs as a program and ends at once, as an AppImage does that is started only to be put in place. */
const PROGRAM = Buffer.from('#!/bin/sh\nexit 0\n'.padEnd(BLOCK, '\n'))

/** What an updater takes for an AppImage: a program, with the map of its blocks behind it, as electron-builder makes it. */
export interface AppImage {
  bytes: Buffer
  blockMapSize: number
}

/** A random program of 8 MB. */
export const someBlocks = (): Buffer[] => [PROGRAM, ...Array.from({ length: BLOCKS - 1 }, () => randomBytes(BLOCK))]

/** The same with every eighth block replaced: 500 ranges, as many as electron-updater requests at once. */
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
export function feedOf(version: string, url: string, { bytes, blockMapSize }: AppImage, releaseNotes = ''): string {
  const sha512 = createHash('sha512').update(bytes).digest('base64')
  const file = { url, sha512, size: bytes.length, blockMapSize }
  return JSON.stringify({ version, files: [file], path: url, sha512, releaseNotes })
}
