import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { crc32 } from '../server/libraries/zip-stream/crc32'
import { isLeftOut, listFolder, type FolderMember } from '../server/libraries/zip-stream/folder'
import { findStretchIndex, layOutZip, type ZipLayout } from '../server/libraries/zip-stream/layout'
import { Failure } from './failure'
import type { LocalFile } from './local-file'

interface Member extends FolderMember {
  /** Path on this computer. */
  file: string
}

/** A folder as one zip that is made while it is sent. `leftOut`: its links and devices. */
export async function readFolder(path: string): Promise<{ file: LocalFile; leftOut: string[] }> {
  const leftOut: string[] = []
  const folder = basename(resolve(path)) || 'folder'

  try {
    const listed = listFolder(folder, await listMembers(path, '', leftOut))
    const members = listed.map(({ member }) => member)
    const sums = new Map<number, Promise<number>>()
    const layout = layOutZip(
      listed.map(({ entry }) => entry),
      (index) => sums.get(index) ?? sums.set(index, computeSum(members[index])).get(index) ?? 0,
    )
    const read = (start: number) => readZip(layout, members, start)
    const hash = createHash('sha256')
    for await (const bytes of read(0)) hash.update(bytes)
    return {
      file: { filename: `${folder}.zip`, size: layout.size, sha256: hash.digest('hex'), read },
      leftOut,
    }
  } catch (cause) {
    if (cause instanceof Failure) throw cause
    throw new Failure('usage', `${path} cannot be read: ${(cause as Error).message}`)
  }
}

/** Follows no links: they could lead out of the folder. */
async function listMembers(root: string, path: string, leftOut: string[]): Promise<Member[]> {
  const members: Member[] = []

  for (const item of await readdir(join(root, path), { withFileTypes: true })) {
    const below = path + item.name
    const file = join(root, below)
    if (item.isDirectory()) {
      const inside = await listMembers(root, `${below}/`, leftOut)
      const { mtime } = await stat(file)
      const empty = { path: `${below}/`, size: 0, modifiedAt: mtime.toISOString(), file }
      // Not spread: a folder may have more members than a call takes arguments.
      for (const member of inside.length > 0 ? inside : [empty]) members.push(member)
    } else if (!item.isFile()) leftOut.push(below)
    else if (!isLeftOut(item.name)) {
      const { size, mtime, mode } = await stat(file)
      members.push({
        path: below,
        size,
        modifiedAt: mtime.toISOString(),
        isExecutable: (mode & 0o100) !== 0,
        file,
      })
    }
  }

  return members
}

async function computeSum(member: Member | undefined): Promise<number> {
  let sum = 0
  if (member && member.size > 0)
    for await (const bytes of readMember(member, 0)) sum = crc32(bytes, sum)
  return sum
}

async function* readZip(
  { stretches, ...layout }: ZipLayout,
  members: readonly Member[],
  start: number,
) {
  const first = findStretchIndex({ stretches, ...layout }, start)
  for (const { start: at, from } of stretches.slice(first)) {
    const skipped = Math.max(0, start - at)
    if ('bytes' in from) yield Buffer.from((await from.bytes()).subarray(skipped))
    else yield* readMember(members[from.entry], skipped)
  }
}

/** Reads as many bytes as the file had when it was listed. Throws `Failure` if it has fewer. */
async function* readMember(member: Member | undefined, start: number): AsyncGenerator<Buffer> {
  if (!member) return

  let missing = member.size - start
  for await (const bytes of createReadStream(member.file, {
    start,
    end: member.size - 1,
  }) as AsyncIterable<Buffer>) {
    missing -= bytes.length
    yield bytes
  }

  if (missing > 0)
    throw new Failure('failed', `${member.file} changed while it was sent. Run the command again.`)
}
