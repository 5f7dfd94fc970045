import { crc32 } from 'node:zlib'
import type { Op } from '../library-data'

/** The first line of every log: its generation and schema. */
export type Beginning = readonly ['begin', generation: number, schema: number]

export interface LogLine {
  /** Increases by one from line to line and across logs, so that a gap is detected. */
  s: number
  o: readonly (Op | Beginning)[]
}

const NEWLINE = 10
const CRC_LENGTH = 8

/** `ops` is already JSON: serializing may fail, so it happens before the change. */
export function encodeLine(sequence: number, ops: string): string {
  const json = `{"s":${sequence},"o":${ops}}`
  return `${checksum(json)} ${json}\n`
}

function checksum(data: string | Uint8Array): string {
  return hex(crc32(data))
}

export function hex(crc: number): string {
  return crc.toString(16).padStart(CRC_LENGTH, '0')
}

/**
 * Decodes the line in `block` from `start` to `end` (its newline). Undefined if the checksum does
 * not match.
 */
export function decodeLine(block: Buffer, start: number, end: number): LogLine | undefined {
  const json = block.subarray(start + CRC_LENGTH + 1, end)
  if (
    json.length === 0 ||
    block.toString('latin1', start, start + CRC_LENGTH + 1) !== `${checksum(json)} `
  )
    return undefined
  return JSON.parse(json.toString()) as LogLine
}

/** Calls `each` for every complete line of a block. Returns where the incomplete rest begins. */
export function eachLine(block: Buffer, each: (start: number, end: number) => void): number {
  let start = 0
  for (let end = block.indexOf(NEWLINE); end >= 0; end = block.indexOf(NEWLINE, start)) {
    each(start, end)
    start = end + 1
  }
  return start
}
