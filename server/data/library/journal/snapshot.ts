import { performance } from 'node:perf_hooks'
import { setImmediate as breathe } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import {
  CREATE_NEW,
  errorCode,
  renameDurably,
  writeAll,
  type Disk,
  type DiskFile,
} from '../../../core/durable-file'
import { collectionNames, emptyLibrary, replay, type LibraryData, type Op } from '../library-data'
import { LibraryTooNewError } from '../library-errors'
import { eachLine, hex } from './log-line'
import { readBlocks } from './read-blocks'

interface Header {
  schema: number
  generation: number
  /** The last transaction of the earlier logs; the log of this generation continues from here. */
  sequence: number
}

/** The last line of a snapshot. Its checksum covers every byte before it. */
interface Footer {
  count: number
  /** The last transaction that the records may show. The logs must reach this far. */
  until: number
  crc32: string
}

export interface Snapshot extends Header, Pick<Footer, 'until'> {
  data: LibraryData
  bytes: number
}

const FORMAT = 'slipway-library'
const FOOTER_START = 'null],'
const HEADER_START = /^\{"format":"slipway-library","schema":(\d{1,9}),/
/**
 * A snapshot yields to requests after this many milliseconds or characters, whichever comes first.
 */
const SLICE_MS = 2
const SLICE_CHARS = 128 * 1024

/** The steps that build a library from an empty one. */
export function* opsOf({ collections, counters }: LibraryData): Generator<Op> {
  for (const name of collectionNames)
    for (const [id, value] of collections[name]) yield ['put', name, id, value]
  for (const [name, value] of counters) yield ['counter', name, value]
}

/** Joins lines into slices that are quick to build, so that requests do not wait. */
function* slices(ops: Iterable<Op>, counted: (lines: number) => void): Generator<string> {
  let slice = ''
  let count = 0
  let since = performance.now()
  for (const op of ops) {
    slice += `${JSON.stringify(op)},\n`
    count++

    const full =
      slice.length >= SLICE_CHARS || (count % 32 === 0 && performance.now() - since >= SLICE_MS)
    if (!full) continue

    yield slice
    slice = ''
    since = performance.now()
  }

  counted(count)
  yield slice
}

class ChecksummedFile {
  crc = 0
  bytes = 0

  constructor(private readonly file: DiskFile) {}

  async add(text: string): Promise<void> {
    const chunk = Buffer.from(text)
    this.crc = crc32(chunk, this.crc)
    this.bytes += chunk.length
    await writeAll(this.file, chunk)
  }
}

/**
 * Writes the records while other changes continue. `settle` returns the newest transaction the
 * records may show, once it is on disk: a snapshot must never contain what the logs could still
 * lose. Returns the size in bytes.
 */
export async function writeSnapshot(
  path: string,
  header: Header,
  ops: Iterable<Op>,
  settle: () => Promise<number>,
  disk: Disk,
): Promise<number> {
  const draft = `${path}.tmp`
  const file = await disk.open(draft, CREATE_NEW, 0o600)
  let bytes: number

  try {
    const out = new ChecksummedFile(file)
    await out.add(`${JSON.stringify({ format: FORMAT, ...header }).slice(0, -1)},"records":[\n`)

    let count = 0
    for (const slice of slices(ops, (lines) => (count = lines))) {
      await out.add(slice)
      await breathe()
    }

    await out.add(`${FOOTER_START}"count":${count},"until":${await settle()},"crc32":"`)
    await out.add(`${hex(out.crc)}"}\n`)
    bytes = out.bytes
    await file.sync()
  } finally {
    await file.close()
  }

  await renameDurably(draft, path, disk)
  return bytes
}

/** Reads the intact lines of a damaged snapshot. Assumes `schema` if the header is lost. */
export async function salvageSnapshot(
  path: string,
  schema: number,
): Promise<Pick<Snapshot, 'schema' | 'data'>> {
  const salvaged = { schema, data: emptyLibrary() }

  const salvageLine = (line: string) => {
    const [, storedSchema] = HEADER_START.exec(line) ?? []
    if (storedSchema !== undefined) salvaged.schema = Number(storedSchema)
    try {
      replay(salvaged.data, JSON.parse(line.slice(0, -1)) as Op)
    } catch {
      // The header, the footer or a damaged record.
    }
  }

  try {
    for await (const block of readBlocks(path)) {
      eachLine(block, (start, end) => salvageLine(block.toString('utf8', start, end)))
    }
  } catch (error) {
    if (errorCode(error) !== 'EIO') throw error
  }

  if (salvaged.schema > schema) throw new LibraryTooNewError(path, salvaged.schema)
  return salvaged
}

/** Reads a snapshot. Undefined if it is damaged. Throws LibraryTooNewError. */
export async function readSnapshot(path: string, schema: number): Promise<Snapshot | undefined> {
  try {
    const snapshot = await readRecords(path)
    if (snapshot !== undefined && snapshot.schema > schema)
      throw new LibraryTooNewError(path, snapshot.schema)
    return snapshot
  } catch (error) {
    const isGarbage =
      error instanceof SyntaxError || error instanceof TypeError || errorCode(error) === 'EIO'
    if (isGarbage) return undefined
    throw error
  }
}

async function readRecords(path: string): Promise<Snapshot | undefined> {
  const data = emptyLibrary()
  let header: Header | undefined
  let footer: Footer | undefined
  let crc = 0
  let count = 0
  let bytes = 0

  for await (const block of readBlocks(path)) {
    bytes += block.length
    if (footer !== undefined) return undefined
    const start = header === undefined ? block.indexOf('\n') + 1 : 0
    header ??= parseHeader(block.toString('utf8', 0, start))

    const lastLine = block.lastIndexOf('\n', -2) + 1
    const isFooter =
      block.toString('latin1', lastLine, lastLine + FOOTER_START.length) === FOOTER_START
    const end = isFooter ? lastLine : block.length
    if (isFooter)
      footer = JSON.parse(`{${block.toString('utf8', lastLine + FOOTER_START.length)}`) as Footer
    crc = crc32(isFooter ? block.subarray(0, -'01234567"}\n'.length) : block, crc)

    const ops = JSON.parse(`[${block.toString('utf8', start, Math.max(start, end - 2))}]`) as Op[]
    count += ops.length
    for (const op of ops) if (!replay(data, op)) return undefined
  }

  if (
    header === undefined ||
    footer === undefined ||
    footer.count !== count ||
    footer.crc32 !== hex(crc)
  )
    return undefined

  return { ...header, until: footer.until, data, bytes }
}

function parseHeader(line: string): Header {
  const header = JSON.parse(`${line}null]}`) as Header & { format: string }
  if (header.format !== FORMAT) throw new SyntaxError('Not a snapshot')
  return header
}
