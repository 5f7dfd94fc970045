import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { Blobs } from '../../server/storage/blobs'
import { Library, type Collection } from '../../server/storage/library'
import { lockDataDir } from '../../server/storage/lock'

/** A little server without HTTP: several clients publish and delete files until the process is killed. */

export interface FileRecord {
  id: string
  blobId: string
  size: number
  sha256: string
}

/** Written in the same transaction as its file, so that one without the other is half a transaction. */
export interface Twin {
  fileId: string
}

/** Small, so that many kills fall into a checkpoint. */
const CHECKPOINT_BYTES = 20_000
const CLIENTS = 8

const log = { info: () => undefined, error: (fields: object, message: string) => console.error(message, fields) }
const say = (what: string) => process.stdout.write(`${what}\n`)

interface Host {
  library: Library
  blobs: Blobs
  files: Collection<FileRecord>
  twins: Collection<Twin>
}

async function start(dir: string): Promise<Host> {
  await lockDataDir(dir)
  const library = await Library.open({ dir, log, checkpointBytes: CHECKPOINT_BYTES })
  const blobs = await Blobs.open(dir)
  const files = library.collection<FileRecord>('files')
  const named = new Set([...files.values()].map((file) => file.blobId))
  await blobs.sweep((blobId) => named.has(blobId))
  return { library, blobs, files, twins: library.collection<Twin>('projects') }
}

async function publish({ library, blobs, files, twins }: Host): Promise<FileRecord> {
  const draft = await blobs.begin()
  for (let part = 0; part < 4; part++) draft.stream.write(randomBytes(randomInt(1, 10_000)))
  draft.stream.end()
  const record = { id: randomUUID(), ...(await draft.publish()) }
  await library.transact((tx) => {
    tx.put(files, record.id, record)
    tx.put(twins, record.id, { fileId: record.id })
    tx.setCounter('files', library.counter('files') + 1)
  })
  library.count('hot')
  return record
}

async function remove({ library, blobs, files, twins }: Host, { id, blobId }: FileRecord): Promise<void> {
  await library.transact((tx) => {
    tx.delete(files, id)
    tx.delete(twins, id)
    tx.setCounter('files', library.counter('files') - 1)
  })
  await blobs.remove(blobId)
}

async function client(host: Host): Promise<void> {
  for (;;) {
    const record = await publish(host)
    say(`added ${record.id}`)
    if (randomInt(4) > 0) continue
    say(`removing ${record.id}`)
    await remove(host, record)
    say(`removed ${record.id}`)
  }
}

const dir = process.argv[2]
if (dir !== undefined) {
  const host = await start(dir)
  say('ready')
  await Promise.all(Array.from({ length: CLIENTS }, () => client(host)))
}
