import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { SmallFiles } from '../../../server/features/downloads/small-files'
import { memorySource, type ByteSource } from '../../../server/core/byte-source'

const KIB = 1024

/** Blobs of so many bytes by name, and a record of which were opened. */
function shelf(sizes: Record<string, number>) {
  const blobs = new Map(Object.entries(sizes).map(([id, size]) => [id, randomBytes(size)]))
  const opened: string[] = []
  const open = (id: string) => {
    opened.push(id)
    return Promise.resolve(memorySource(blobs.get(id) ?? Buffer.alloc(0)))
  }
  const small = new SmallFiles({ open })
  return { opened, blobs, bytesOf: (id: string) => small.open({ blobId: id, size: sizes[id] ?? 1 }).then(allOf) }
}

async function allOf(source: ByteSource): Promise<Buffer> {
  const into = Buffer.alloc(100 * KIB)
  const { bytesRead } = await source.read(into, 0, into.length, 0)
  return into.subarray(0, bytesRead)
}

test('a small file is read once, a larger one each time', async () => {
  const { opened, blobs, bytesOf } = shelf({ small: 64 * KIB, large: 64 * KIB + 1 })
  for (let turn = 0; turn < 2; turn++)
    for (const id of ['small', 'large']) expect(await bytesOf(id)).toEqual(blobs.get(id))
  expect(opened).toEqual(['small', 'large', 'large'])
})

test('evicts the least recently used file', async () => {
  const names = Array.from({ length: 64 }, (_, n) => `blob ${n}`)
  const { opened, bytesOf } = shelf(Object.fromEntries([...names, 'one more'].map((name) => [name, 64 * KIB])))
  for (const name of names) await bytesOf(name)
  await bytesOf('blob 0')
  await bytesOf('one more')
  opened.length = 0
  await bytesOf('blob 0')
  await bytesOf('blob 1')
  expect(opened).toEqual(['blob 1'])
})

test('a file that is shorter than its record is looked at again each time', async () => {
  const { opened, bytesOf } = shelf({})
  expect(await bytesOf('gone')).toHaveLength(0)
  await bytesOf('gone')
  expect(opened).toEqual(['gone', 'gone'])
})
