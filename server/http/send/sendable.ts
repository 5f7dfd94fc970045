import type { ByteSource } from '../../core/byte-source'
import type { ByteRange } from './range'

/** Cache policy: the client only, with revalidation, or permanently. */
export type Keeping = 'private' | 'public' | 'immutable'

/** A file or other bytes to send. */
export interface Sendable {
  filename: string
  size: number
  /** Strong validator (RFC 9110 §8.8.3) without quotes: equal for equal bytes only. */
  tag: string
  /** SHA-256 in hexadecimal, if known without reading the bytes. */
  sha256?: string
  /** Media type, if the name does not imply it. */
  type?: string
  /** UTC ISO 8601. */
  modifiedAt: string
  keeping: Keeping
  /** A request for more ranges gets everything. Default: see `parseRanges`. */
  maxParts?: number
  open(): Promise<ByteSource>
  /**
   * Reports bytes that the client's system received, even if the rest failed. Unsure bytes were in transit when the
   * connection was lost.
   */
  delivered(range: ByteRange, isSure: boolean): void
}
