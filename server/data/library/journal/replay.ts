import { replay, type LibraryData, type Op } from '../library-data'
import { LibraryDamagedError, LibraryForkedError, LibraryTooNewError } from '../library-errors'
import { decodeLine, eachLine, type Beginning } from './log-line'
import { migrate, type Migrations } from './migrations'
import { readBlocks } from './read-blocks'

const isBeginning = (op: Op | Beginning | undefined): op is Beginning => op?.[0] === 'begin'

/** Replays logs line by line on a base, and verifies every line. */
export class Replay {
  readonly data: LibraryData
  schema: number
  sequence: number
  bytes = 0
  /** Transactions replayed, without the beginnings of logs. */
  changes = 0
  upTo = Infinity
  torn: { path: string; length: number } | undefined

  constructor(
    base: { data: LibraryData; schema: number; sequence: number },
    private readonly newestSchema: number,
    private readonly migrations: Migrations,
  ) {
    this.data = base.data
    this.schema = base.schema
    this.sequence = base.sequence
  }

  /** Only the newest log may end in a partial line: it was being written at the crash. */
  async log(path: string, generation: number, isNewest: boolean): Promise<void> {
    let offset = 0
    let lines = 0

    for await (const block of readBlocks(path)) {
      const rest = eachLine(block, (start, end) => {
        if (lines > 0) this.#transaction(block, start, end, path, offset + start)
        else this.#beginning(block, start, end, path, generation)
        lines++
      })

      offset += rest
      if (rest === block.length) continue

      // A complete line with a wrong last byte was not cut off: its newline was changed.
      const changed = decodeLine(block, rest, block.length - 1) !== undefined
      if (!isNewest || changed) throw new LibraryDamagedError(path, `is damaged at byte ${offset}`)
      this.torn = { path, length: offset }
    }

    if (lines === 0) throw new LibraryDamagedError(path, 'is empty')
    this.bytes += offset
  }

  #beginning(block: Buffer, start: number, end: number, path: string, generation: number): void {
    const line = decodeLine(block, start, end)
    const op = line?.o[0]

    if (line === undefined || !isBeginning(op))
      throw new LibraryDamagedError(path, 'is damaged at byte 0')

    const [, ownGeneration, schema] = op
    if (schema > this.newestSchema) throw new LibraryTooNewError(path, schema)
    if (ownGeneration !== generation)
      throw new LibraryDamagedError(path, `is actually log ${ownGeneration}`)

    if (line.s > this.upTo) return
    if (line.s <= this.sequence)
      throw new LibraryForkedError(path, generation, line.s, this.sequence)

    this.#continue(line.s, path)
    // The version that began this log had migrated the records. An empty library needs no
    // migration.
    if (this.schema !== 0) migrate(this.data, this.schema, schema, this.migrations)
    this.schema = schema
  }

  #transaction(block: Buffer, start: number, end: number, path: string, offset: number): void {
    const line = decodeLine(block, start, end)
    if (line === undefined) throw new LibraryDamagedError(path, `is damaged at byte ${offset}`)
    if (line.s > this.upTo) return
    this.#continue(line.s, path)
    this.changes++
    for (const op of line.o) {
      if (isBeginning(op) || !replay(this.data, op)) {
        throw new LibraryDamagedError(path, `contains an unknown step at byte ${offset}`)
      }
    }
  }

  #continue(sequence: number, path: string): void {
    if (sequence !== this.sequence + 1) {
      throw new LibraryDamagedError(
        path,
        `continues with transaction ${sequence} after ${this.sequence}`,
      )
    }
    this.sequence = sequence
  }
}
