import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memorySource } from '../../../../server/core/byte-source'
import { findEntries, layOutZip } from '../../../../server/libraries/zip-stream/layout'
import type { ZipEntry } from '../../../../server/libraries/zip-stream/records'
import { ZipSource } from '../../../../server/libraries/zip-stream/source'
import { isFull, rounds } from '../../../support/system/rounds'
import { tempDir } from '../../../support/system/temp-dir'

interface Member {
  name: string
  bytes: Buffer
}

const entryOf = ({ name, bytes }: Member): ZipEntry => ({
  name,
  size: bytes.length,
  modifiedAt: '2026-11-20T10:41:32.500Z',
})

function zipping(members: readonly Member[]) {
  const layout = layOutZip(members.map(entryOf), (entry) =>
    Promise.resolve(crc32(members[entry]!.bytes)),
  )
  const source = () =>
    new ZipSource(layout, (entry) => Promise.resolve(memorySource(members[entry]!.bytes)))
  return { layout, source }
}

/** A range of a zip, read at most `most` bytes at a time. */
async function bytesOf(
  { layout, source }: ReturnType<typeof zipping>,
  start = 0,
  end = layout.size,
  most = 65_536,
) {
  const [zip, slab] = [source(), Buffer.alloc(most)]
  const got: Buffer[] = []
  for (let at = start; at < end;) {
    const { bytesRead } = await zip.read(slab, 0, Math.min(most, end - at), at)
    if (bytesRead === 0) throw new Error('The zip is too short')
    got.push(Buffer.from(slab.subarray(0, bytesRead)))
    at += bytesRead
  }
  await zip.close()
  return Buffer.concat(got)
}

async function saved(bytes: Buffer): Promise<string> {
  const dir = await tempDir()
  const path = join(dir, 'a.zip')
  await writeFile(path, bytes)
  return path
}

/**
 * What Python reads from a zip, after it has checked every checksum: names and bytes in
 * hexadecimal.
 */
const READ = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    assert z.testzip() is None
    print(json.dumps([[i.filename, i.date_time, z.read(i).hex() if i.file_size < 1e6 else i.file_size] for i in z.infolist()]))
`

function readByPython(path: string): [string, number[], string | number][] {
  const { status, stdout, stderr } = spawnSync('python3', ['-c', READ, path], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as [string, number[], string | number][]
}

const has = (program: string, ...args: string[]) => spawnSync(program, args).error === undefined

const name = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .filter((text) => !/[/\\:\0]/.test(text))
const members = fc.uniqueArray(
  fc.record({ name, bytes: fc.uint8Array({ maxLength: 5000 }).map((b) => Buffer.from(b)) }),
  {
    maxLength: 12,
    selector: (member) => member.name,
  },
)

test('any files come back from Python, unzip and any way of reading', async ({ skip }) => {
  if (!has('python3', '--version') || !has('unzip', '-v')) skip('python3 or unzip is not installed')
  await fc.assert(
    fc.asyncProperty(members, fc.integer({ min: 1, max: 3000 }), async (all, most) => {
      const zip = zipping(all)
      const bytes = await bytesOf(zip)
      expect(bytes.length).toBe(zip.layout.size)
      expect((await bytesOf(zip, 0, zip.layout.size, most)).equals(bytes)).toBe(true)
      const path = await saved(bytes)
      expect(readByPython(path)).toEqual(
        all.map(({ name, bytes }) => [name, [2026, 11, 20, 10, 41, 32], bytes.toString('hex')]),
      )
      if (all.length > 0) expect(spawnSync('unzip', ['-tqq', path]).status).toBe(0)
    }),
    { numRuns: rounds(25, 8) },
  )
})

test('a range that begins or ends at any boundary is that part of the whole', async () => {
  const zip = zipping([
    { name: 'ü.txt', bytes: randomBytes(1000) },
    { name: 'empty', bytes: Buffer.alloc(0) },
    { name: 'b.apk', bytes: randomBytes(70_001) },
  ])
  const whole = await bytesOf(zip)
  const edges = zip.layout.stretches.flatMap(({ start, length }) => [start, start + length])
  const near = [...new Set(edges.flatMap((edge) => [edge - 1, edge, edge + 1]))].filter(
    (at) => at >= 0 && at <= whole.length,
  )
  for (const start of near) {
    for (const end of near) {
      if (end <= start) continue
      expect(
        (await bytesOf(zip, start, end)).equals(whole.subarray(start, end)),
        `${start}-${end}`,
      ).toBe(true)
    }
  }
})

test('reports the bytes of each file in a range, without headers', () => {
  const zip = zipping([
    { name: 'a', bytes: randomBytes(100) },
    { name: 'b', bytes: randomBytes(50) },
  ])
  const [a, b] = zip.layout.stretches.filter(({ from }) => 'entry' in from)
  const told = (start: number, end: number) => [...findEntries(zip.layout, { start, end })]

  expect(told(0, a!.start - 1)).toEqual([])
  expect(told(0, zip.layout.size - 1)).toEqual([
    { entry: 0, range: { start: 0, end: 99 } },
    { entry: 1, range: { start: 0, end: 49 } },
  ])
  expect(told(a!.start + 10, b!.start + 5)).toEqual([
    { entry: 0, range: { start: 10, end: 99 } },
    { entry: 1, range: { start: 0, end: 5 } },
  ])
})

test('a file that is shorter than its record gives no zip', async () => {
  const layout = layOutZip([entryOf({ name: 'a', bytes: Buffer.alloc(100) })], () => 0)
  const zip = new ZipSource(layout, () => Promise.resolve(memorySource(Buffer.alloc(40))))
  const reading = async () => {
    for (let at = 0; at < layout.size;) {
      const { bytesRead } = await zip.read(Buffer.alloc(64), 0, 64, at)
      if (bytesRead === 0) throw new Error('too short')
      at += bytesRead
    }
  }

  await expect(reading()).rejects.toThrow('too short')
})

/**
 * What Python finds in a zip without reading all of it: how many files, and the bytes of the last
 * one.
 */
const LAST = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    names = z.namelist()
    print(len(names), names[-1], z.read(names[-1]).decode())
`

const many = (bytesOfEach: (n: number) => string) =>
  Array.from({ length: 70_000 }, (_, n) => ({
    name: `${n}.txt`,
    bytes: Buffer.from(bytesOfEach(n)),
  }))

test('70,000 files need zip64, and are all listed', async ({ skip }) => {
  if (!has('python3', '--version')) skip('python3 is not installed')
  const all = many((n) => (n === 69_999 ? 'the last one' : ''))
  const parts = await Promise.all(
    zipping(all).layout.stretches.map(async ({ from }) =>
      'bytes' in from ? from.bytes() : all[from.entry]!.bytes,
    ),
  )
  const python = spawnSync('python3', ['-c', LAST, await saved(Buffer.concat(parts))], {
    encoding: 'utf8',
  })

  expect([python.stderr, python.stdout.trim()]).toEqual(['', '70000 69999.txt the last one'])
})

if (isFull) {
  test('70,000 files need zip64, and are all there', async () => {
    const read = readByPython(await saved(await bytesOf(zipping(many(String)))))

    expect(read.length).toBe(70_000)
    expect(read[69_999]).toEqual([
      '69999.txt',
      expect.anything(),
      Buffer.from('69999').toString('hex'),
    ])
  })
}

/**
 * Writes the made parts of a zip at their places; the files are holes, which read as zeros and take
 * no room.
 */
async function savedSparse(sizes: readonly number[]): Promise<string> {
  const layout = layOutZip(
    sizes.map((size, n) => ({ name: `${n}.bin`, size, modifiedAt: '2026-11-20T10:41:32Z' })),
    () => 0,
  )
  const path = await saved(Buffer.alloc(0))
  const file = await open(path, 'r+')
  await file.truncate(layout.size)
  for (const { start, from } of layout.stretches)
    if ('bytes' in from) await file.write(await from.bytes(), 0, null, start)
  await file.close()
  return path
}

const GIB = 2 ** 30

test.each([
  ['a file of 5 GiB', [5 * GIB, 10]],
  ['files behind 4 GiB', [2 * GIB, 2 * GIB, 2 * GIB, 7]],
  // (One byte more is right as well, but zipinfo 3.0 takes the true size for the sign of a zip64
  // field.)
  ['a file of 4 GiB less two', [2 ** 32 - 2, 1]],
])('%s: zip64, read alike by zipinfo and Python', async (_what, sizes) => {
  const path = await savedSparse(sizes)
  const list = `import sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
for i in z.infolist(): z.open(i).read(0)
print(*[i.file_size for i in z.infolist()])`
  const python = spawnSync('python3', ['-c', list, path], { encoding: 'utf8' })
  const zipinfo = spawnSync('zipinfo', ['-l', path], { encoding: 'utf8' })

  expect([python.stderr, python.stdout.trim()]).toEqual(['', sizes.join(' ')])
  expect(zipinfo.status).toBe(0)
  for (const size of sizes) expect(zipinfo.stdout).toContain(` ${size} `)
})

test('every stretch is as long as the layout says, also of huge, far and future files', async () => {
  const sizes = [1, 2 ** 32 - 2, 2 ** 32 - 1, 2 ** 32, 2 ** 40]
  const times = ['1969-12-31T23:59:59.000Z', '2026-11-20T10:41:32.500Z', '2038-01-19T03:14:08.000Z']
  const entries = sizes.flatMap((size) =>
    times.map((modifiedAt) => ({ name: `rakéta 🚀 ${size}`, size, modifiedAt })),
  )
  for (const { length, from } of layOutZip(entries, () => 1).stretches) {
    if ('bytes' in from) expect((await from.bytes()).length).toBe(length)
  }
})

test('a read of thousands of tiny files lets other work through', async () => {
  const tiny = Array.from({ length: 20_000 }, (_, n) => ({ name: `${n}`, bytes: Buffer.from('x') }))
  const { layout, source } = zipping(tiny)
  let turns = 0
  const count = () => {
    turns++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  const { bytesRead } = await source().read(Buffer.alloc(layout.size), 0, layout.size, 0)
  clearImmediate(next)

  expect(bytesRead).toBe(layout.size)
  expect(turns).toBeGreaterThan(0)
})
