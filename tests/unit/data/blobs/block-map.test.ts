import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { buildBlockMap } from 'app-builder-lib/out/targets/blockmap/blockmap.js'
import { expect, test as plain } from 'vitest'
import { BlockMap } from '../../../../server/data/blobs/block-map/block-map'
import { test } from '../../../support/world/http'

function mapOf(bytes: Buffer, part: number): Buffer {
  const map = new BlockMap()
  for (let at = 0; at < bytes.length; at += part) map.add(bytes.subarray(at, at + part))
  return map.end()
}

// The same bytes in each run: how many blocks an insertion changes depends on them.
const some = createHash('shake256', { outputLength: 1_000_001 }).update('a build').digest()
/** Without an end by content, with one at each byte, and with both. */
const contents = {
  nothing: Buffer.alloc(0),
  'one byte': Buffer.from('x'),
  '8191 bytes': some.subarray(0, 8191),
  '8192 bytes': some.subarray(0, 8192),
  '8193 bytes': some.subarray(0, 8193),
  '32 KiB of zeros': Buffer.alloc(32 * 1024),
  '100 kB of zeros and more': Buffer.concat([
    Buffer.alloc(100_000),
    some.subarray(0, 70_000),
    Buffer.alloc(9000, 255),
  ]),
  'a megabyte': some,
}

test.for(Object.entries(contents))(
  'equals the block map of electron-builder: %s',
  async ([, bytes], { folder }) => {
    const file = join(folder, 'file')
    await writeFile(file, bytes)
    await buildBlockMap(file, 'gzip', `${file}.blockmap`)
    const theirs = await readFile(`${file}.blockmap`)

    for (const part of [64 * 1024, 262_144]) expect(mapOf(bytes, part).equals(theirs)).toBe(true)
  },
)

plain('keeps most blocks where bytes are inserted', () => {
  const blocksOf = (bytes: Buffer) => {
    const { files } = JSON.parse(gunzipSync(mapOf(bytes, 99_999)).toString()) as {
      files: { checksums: string[] }[]
    }
    return files[0]!.checksums
  }
  const before = new Set(blocksOf(some))
  const after = blocksOf(
    Buffer.concat([some.subarray(0, 500_000), Buffer.from('more'), some.subarray(500_000)]),
  )

  expect(after.filter((checksum) => !before.has(checksum)).length).toBeLessThan(4)
})
