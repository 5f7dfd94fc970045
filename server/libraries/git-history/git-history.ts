import { createHash } from 'node:crypto'
import { setImmediate as immediate } from 'node:timers/promises'
import { crc32, deflateSync } from 'node:zlib'

/** A commit of one file. */
export interface Commit {
  /** Path with slashes. */
  path: string
  /** Empty: no file. */
  content: string
  message: string
  /** Seconds since 1970. */
  at: number
}

/** A branch and all that its commits need. */
export interface History {
  /** The id of the newest commit. */
  tip: string | undefined
  /** Packed objects by hexadecimal id. */
  objects: ReadonlyMap<string, Buffer>
}

/** Type numbers of the pack format. */
const TYPES = { commit: 1, tree: 2, blob: 3 } as const
const AUTHOR = 'Slipway <slipway@localhost>'

/** Commits between two yields to the event loop; they take 10 ms at most. */
const AT_ONCE = 20

/** Adds commits to a history, each on the previous one, and yields to other work in between. */
export async function addCommits(before: History, commits: readonly Commit[]): Promise<History> {
  const objects = new Map(before.objects)
  let { tip } = before

  for (const [n, { path, content, message, at }] of commits.entries()) {
    if (n > 0 && n % AT_ONCE === 0) await immediate()
    const who = `${AUTHOR} ${at} +0000`

    const tree = addFile(objects, path.split('/'), content)
    const parent = tip === undefined ? '' : `parent ${tip}\n`
    const text = `tree ${tree}\n${parent}author ${who}\ncommitter ${who}\n\n${message}\n`
    tip = addObject(objects, 'commit', Buffer.from(text))
  }
  return { tip, objects }
}

/** Returns the id of a tree with one file, or with none. */
function addFile(objects: Map<string, Buffer>, path: readonly string[], content: string): string {
  if (content === '') return addObject(objects, 'tree', Buffer.alloc(0))
  const blob = addObject(objects, 'blob', Buffer.from(content))
  let inner = { mode: '100644', id: blob }

  for (const name of path.toReversed()) {
    const entry = Buffer.concat([
      Buffer.from(`${inner.mode} ${name}\0`),
      Buffer.from(inner.id, 'hex'),
    ])
    inner = { mode: '40000', id: addObject(objects, 'tree', entry) }
  }

  return inner.id
}

function addObject(
  objects: Map<string, Buffer>,
  type: keyof typeof TYPES,
  content: Buffer,
): string {
  const id = sha1(Buffer.from(`${type} ${content.length}\0`), content).toString('hex')
  if (!objects.has(id))
    objects.set(id, Buffer.concat([packHead(TYPES[type], content.length), deflateSync(content)]))
  return id
}

/** The type and the size of an object, seven bits in each byte but the first. */
function packHead(type: number, size: number): Buffer {
  const bytes: number[] = []
  let byte = (type << 4) | (size & 15)
  for (let rest = size >>> 4; rest > 0; rest >>>= 7) {
    bytes.push(byte | 128)
    byte = rest & 127
  }
  return Buffer.from([...bytes, byte])
}

/** Prints the files of a repository that a client fetches, by path. */
export function printRepository({ tip, objects }: History): Map<string, string | Buffer> {
  const { name, pack, index } = packObjects(objects)
  return new Map<string, string | Buffer>([
    ['HEAD', 'ref: refs/heads/main\n'],
    ['info/refs', `${tip}\trefs/heads/main\n`],
    ['objects/info/packs', `P pack-${name}.pack\n\n`],
    [`objects/pack/pack-${name}.pack`, pack],
    [`objects/pack/pack-${name}.idx`, index],
  ])
}

function packObjects(objects: History['objects']) {
  const entries = [...objects].sort(([a], [b]) => (a < b ? -1 : 1))
  const head = Buffer.concat([Buffer.from('PACK'), numbers(2, entries.length)])
  const bytes = Buffer.concat([head, ...entries.map(([, entry]) => entry)])
  const checksum = sha1(bytes)

  const offsets: number[] = []
  let offset = head.length
  for (const [, entry] of entries) {
    offsets.push(offset)
    offset += entry.length
  }

  const ids = entries.map(([id]) => Buffer.from(id, 'hex'))
  // The fan-out table: for each byte, the number of ids that begin with it or a lower one.
  const counts = Array.from({ length: 256 }, () => 0)
  for (const [first = 0] of ids) counts[first] = (counts[first] ?? 0) + 1
  for (const [byte, count] of counts.entries()) counts[byte] = count + (counts[byte - 1] ?? 0)

  const sums = entries.map(([, entry]) => crc32(entry))
  const table = [numbers(0xff744f63, 2, ...counts), ...ids, numbers(...sums, ...offsets)]
  const index = Buffer.concat([...table, checksum])

  const pack = Buffer.concat([bytes, checksum])
  return { name: checksum.toString('hex'), pack, index: Buffer.concat([index, sha1(index)]) }
}

/** Four bytes for each, the highest first. */
function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [n, value] of values.entries()) bytes.writeUInt32BE(value, n * 4)
  return bytes
}

function sha1(...parts: readonly Buffer[]): Buffer {
  const hash = createHash('sha1')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
