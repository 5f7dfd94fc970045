import { spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect } from 'vitest'
import { Blobs } from '../../server/storage/blobs'
import { Library } from '../../server/storage/library'
import { lockDataDir } from '../../server/storage/lock'
import type { FileRecord, Twin } from './publisher'

const PUBLISHER = join(import.meta.dirname, 'publisher.ts')
const log = { info: () => undefined, error: (fields: object, message: string) => console.error(message, fields) }

/** What a publisher said before its end. */
export interface Said {
  added: Set<string>
  removing: Set<string>
  removed: Set<string>
}

/** Runs a publisher, lets `end` bring it to a violent end, and answers all that it had said by then. */
export async function listen(
  dir: string,
  end: (publisher: ChildProcess, ready: Promise<void>) => Promise<void>,
): Promise<Said> {
  const said: Said = { added: new Set(), removing: new Set(), removed: new Set() }
  const child = spawn(process.execPath, ['--import', 'tsx', PUBLISHER, dir], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  const read = once(lines, 'close')
  const ready = new Promise<void>((resolve) => {
    lines.on('line', (line) => {
      const [what, id] = line.split(' ')
      if (id === undefined) resolve()
      else said[what as keyof Said].add(id)
    })
  })
  await end(child, ready)
  expect(await exit).toEqual([null, 'SIGKILL'])
  await read
  return said
}

/** Starts again, as the app would, and holds what is there against what was said. */
export async function examine(dir: string, said: Said): Promise<void> {
  const lock = await lockDataDir(dir)
  const library = await Library.open({ dir, log })
  const blobs = await Blobs.open(dir)
  const files = library.collection<FileRecord>('files')
  const twins = library.collection<Twin>('projects')
  for (const id of said.added) if (!said.removing.has(id)) expect(files.has(id), `acknowledged ${id}`).toBe(true)
  for (const id of said.removed) expect(files.has(id), `removed ${id}`).toBe(false)
  expect([...twins.values()].map(({ fileId }) => fileId).sort()).toEqual([...files.values()].map(({ id }) => id).sort())
  expect(library.counter('files')).toBe(files.size)
  const named = new Set([...files.values()].map(({ blobId }) => blobId))
  await blobs.sweep((blobId) => named.has(blobId))
  expect(await readdir(join(dir, 'tmp'))).toEqual([])
  for (const id of said.added) await examineBlob(blobs, files.get(id))
  await library.close()
  await lock.release()
  expect((await readdir(dir)).filter((name) => name.endsWith('.tmp'))).toEqual([])
}

/** Every file that any round left is still there, byte for byte. */
export async function examineAll(dir: string): Promise<void> {
  const blobs = await Blobs.open(dir)
  const library = await Library.open({ dir, log })
  for (const file of library.collection<FileRecord>('files').values()) await examineBlob(blobs, file)
  await library.close()
}

async function examineBlob(blobs: Blobs, file: FileRecord | undefined): Promise<void> {
  if (file === undefined) return
  const handle = await blobs.open(file.blobId)
  const bytes = await handle.readFile().finally(() => handle.close())
  expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([file.size, file.sha256])
}
