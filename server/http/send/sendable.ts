import type { ByteSource } from '../../core/byte-source'
import type { ByteRange } from './range'

/** Who may keep a copy: the client alone and not for long; anybody who asks again each time; anybody, for good. */
export type Keeping = 'private' | 'public' | 'immutable'

/** Bytes to send, as their owner named them. */
export interface Sendable {
  filename: string
  /** Bytes. */
  size: number
  /** The strong validator (RFC 9110 §8.8.3), without quotes. The same bytes have the same, others have another. */
  tag: string
  /** SHA-256 in hexadecimal, where it is known without reading everything. */
  sha256?: string
  /** The media type, where the name does not tell it. */
  type?: string
  /** UTC ISO 8601. */
  modifiedAt: string
  keeping: Keeping
  open(): Promise<ByteSource>
  /**
   * Hears which bytes the client's system has been given, also when the rest did not follow. Those that are not sure were
   * on their way when the connection was lost: it may have some of them.
   */
  delivered(range: ByteRange, isSure: boolean): void
}
