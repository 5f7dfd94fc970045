import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { FolderZip, type ReadMember } from '../../../../renderer/features/uploads/folder/folder-zip'
import { readFolder } from '../../../../renderer/features/uploads/folder/read-folder'
import type { UploadSource } from '../../../../renderer/features/uploads/upload'

const lastModified = Date.parse('2026-11-20T10:41:32.000Z')

function aMember(path: string, bytes: Uint8Array<ArrayBuffer> | string = path): ReadMember {
  const file = new File([bytes], path.split('/').at(-1) ?? '', { lastModified })
  return { path, size: file.size, modifiedAt: new Date(lastModified).toISOString(), file }
}

const bytesOf = async (zip: FolderZip, start = 0, end = zip.size) =>
  Buffer.from(await zip.slice(start, end).arrayBuffer())

/** Names, bytes and modes as a zip reader finds them. */
async function unzip(bytes: Buffer): Promise<[name: string, content: string, mode: number][]> {
  const zip = await fromBufferPromise(bytes)
  const found: [string, string, number][] = []
  for await (const entry of zip.eachEntry()) {
    const content = await buffer(await zip.openReadStreamPromise(entry))
    expect(entry.crc32).toBe(crc32(content))
    found.push([entry.fileName, content.toString('latin1'), entry.externalFileAttributes >>> 16])
  }
  return found
}

const name = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .filter((it) => !/[/\\\p{Cc}]|^\.+$/u.test(it))
const members = fc.uniqueArray(fc.record({ name, bytes: fc.uint8Array({ maxLength: 3000 }) }), {
  minLength: 1,
  maxLength: 8,
  selector: (it) => it.name,
})

test('a folder becomes one zip with its structure, and any piece of it is that part of the whole', async () => {
  await fc.assert(
    fc.asyncProperty(
      members,
      fc.array(fc.nat(), { minLength: 4, maxLength: 8 }),
      async (all, cuts) => {
        const files = all.map((it, index) =>
          aMember(`${index % 2 ? 'lib/ü/' : ''}${it.name}`, new Uint8Array(it.bytes)),
        )
        const zip = new FolderZip('Rocket', [
          ...files,
          { path: 'empty/', size: 0, modifiedAt: '1980-01-01T00:00:00.000Z' },
        ])
        const whole = await bytesOf(zip)
        const expected = await Promise.all(
          files.map(async ({ path, file }) => [
            `Rocket/${path}`,
            Buffer.from(await (file ?? new Blob()).arrayBuffer()).toString('latin1'),
            0o100644,
          ]),
        )
        const byName = (a: unknown[], b: unknown[]) => (String(a[0]) < String(b[0]) ? -1 : 1)
        expect(await unzip(whole)).toEqual(
          [...expected, ['Rocket/empty/', '', 0o40755]].toSorted(byName),
        )
        for (const cut of cuts) {
          const start = cut % whole.length
          const again = new FolderZip('Rocket', [
            { path: 'empty/', size: 0, modifiedAt: '1980-01-01T00:00:00.000Z' },
            ...files,
          ])
          expect((await bytesOf(again, start)).equals(whole.subarray(start))).toBe(true)
          expect(
            (await bytesOf(zip, start, start + 100)).equals(whole.subarray(start, start + 100)),
          ).toBe(true)
          expect(await again.fingerprint()).toBe(await zip.fingerprint())
        }
      },
    ),
    { numRuns: 20 },
  )
})

test.each([
  [[], 'This folder is empty, so there is nothing to upload.'],
  [['../x'], 'Rename “Rocket/../x”: other systems cannot store a file of this name.'],
  [['a\\..\\b'], 'Rename “Rocket/a\\..\\b”'],
])('refuses %j in words', (paths, text) => {
  expect(
    () =>
      new FolderZip(
        'Rocket',
        paths.map((path) => aMember(path)),
      ),
  ).toThrow(text)
})

test('a file that changes while the folder is sent ends the upload in words', async () => {
  const changed = 'b.txt in Rocket.zip was changed, moved or deleted on this computer.'
  let now = aMember('b.txt').file
  const look = () => (now ? Promise.resolve(now) : Promise.reject(new Error('gone')))
  const zip = new FolderZip('Rocket', [aMember('a.txt'), { ...aMember('b.txt'), look }])
  const before = await zip.fingerprint()
  expect(before).toMatch(/^folder-[0-9a-f]{16}$/)
  now = new File(['other'], 'b.txt', { lastModified: lastModified + 1000 })
  await expect(zip.fingerprint()).rejects.toThrow(changed)
  now = undefined
  await expect(zip.fingerprint()).rejects.toThrow(changed)

  const short = new FolderZip('Rocket', [{ ...aMember('b.txt'), size: 100 }])
  await expect(bytesOf(short)).rejects.toThrow(changed)
})

describe('a dropped folder', () => {
  /** As browsers show a folder: a hundred entries at a time. */
  const aFolder = (name: string, inside: FileSystemEntry[]) =>
    ({
      name,
      isDirectory: true,
      createReader: () => {
        let at = 0
        return {
          readEntries: (done: (some: unknown) => void) => done(inside.slice(at, (at += 100))),
        }
      },
    }) as unknown as FileSystemDirectoryEntry
  const aFile = (path: string, file = aMember(path).file) =>
    ({
      name: path,
      isDirectory: false,
      file: (done: (it: unknown) => void) => done(file),
    }) as unknown as FileSystemEntry
  const zipOf = (source: UploadSource) => source as FolderZip

  test('a folder may have ten thousand files, and leaves out what systems put into every folder', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) =>
      aFile(`${String(index).padStart(5, '0')}.txt`),
    )
    const zip = zipOf(
      await readFolder(
        aFolder('Rocket', [aFile('.DS_Store'), aFolder('empty', []), aFolder('many', many)]),
      ),
    )
    expect(zip).toMatchObject({ name: 'Rocket.zip', fileCount: 10_000, lastModified })
    const names = (await unzip(await bytesOf(zip))).map(([path]) => path)
    expect(names).toHaveLength(10_001)
    expect([names[0], names[1], names.at(-1)]).toEqual([
      'Rocket/empty/',
      'Rocket/many/00000.txt',
      'Rocket/many/09999.txt',
    ])
  })

  test('a folder that cannot be sent says why', async () => {
    expect(await readFolder(aFolder('Rocket', [aFile('Thumbs.db')]))).toEqual({
      name: 'Rocket',
      size: 0,
      problem: 'This folder is empty, so there is nothing to upload.',
    })
  })
})
