import { spawn } from 'node:child_process'
import { createHash, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { Blobs } from '../../server/storage/blobs'
import { Library } from '../../server/storage/library'
import { lockDataDir } from '../../server/storage/lock'
import type { FileRecord, Twin } from './kill-9-worker'

const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 50)
const WORKER = join(import.meta.dirname, 'kill-9-worker.ts')
const log = { info: () => undefined, error: (fields: object, message: string) => console.error(message, fields) }

/** What a worker said before it was killed. */
interface Said {
  added: Set<string>
  removing: Set<string>
  removed: Set<string>
}

/** Runs a worker and kills it in the middle of its work; one time in ten while it is still starting. */
async function runAndKill(dir: string): Promise<Said> {
  const said: Said = { added: new Set(), removing: new Set(), removed: new Set() }
  const child = spawn(process.execPath, ['--import', 'tsx', WORKER, dir], { stdio: ['ignore', 'pipe', 'inherit'] })
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
  await (randomInt(10) === 0 ? pause(randomInt(200, 500)) : ready)
  await pause(randomInt(20, 300))
  child.kill('SIGKILL')
  const [code, signal] = (await exit) as [number | null, string | null]
  expect([code, signal]).toEqual([null, 'SIGKILL'])
  await read
  return said
}

/** Starts again, as the app would, and holds what is there against what was said. */
async function examine(dir: string, said: Said): Promise<void> {
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

async function examineBlob(blobs: Blobs, file: FileRecord | undefined): Promise<void> {
  if (file === undefined) return
  const handle = await blobs.open(file.blobId)
  const bytes = await handle.readFile().finally(() => handle.close())
  expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([file.size, file.sha256])
}

test(`${ROUNDS} times kill -9: what was acknowledged is there, nothing is there by half`, { timeout: ROUNDS * 5000 }, async () => {
  const dir = await mkdtemp(join(tmpdir(), 'slipway-kill-9-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  let acknowledged = 0
  for (let round = 0; round < ROUNDS; round++) {
    const said = await runAndKill(dir)
    acknowledged += said.added.size
    await examine(dir, said)
  }
  expect(acknowledged).toBeGreaterThan(ROUNDS)
  const blobs = await Blobs.open(dir)
  const library = await Library.open({ dir, log })
  for (const file of library.collection<FileRecord>('files').values()) await examineBlob(blobs, file)
  await library.close()
  console.log(`${ROUNDS} kills, ${acknowledged} acknowledged publishes, none lost`)
})
