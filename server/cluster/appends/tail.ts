import { randomBytes } from 'node:crypto'
import type { InBucket } from '../../data/blobs/blob-store'

/**
 * Bytes of an unfinished upload behind its full parts, in an object that is never written again.
 */
export type Piece = InBucket['tail'][number]

/** Never the name of an earlier one, also if another host thinks that it is still the writer. */
export const newPieceName = (blobId: string): string =>
  `${blobId}.${randomBytes(8).toString('hex')}`

/** The blob of a piece; undefined for other keys. */
export const blobOfPiece = (key: string): string | undefined =>
  /^uploads\/([0-9a-f]{32})\.[0-9a-f]{16}$/.exec(key)?.[1]

export const bytesOf = (tail: readonly Piece[]): number =>
  tail.reduce((sum, { size }) => sum + size, 0)

/**
 * Returns the pieces that stay when so many bytes follow. The pieces behind them are written again
 * as one piece, with the new bytes. Each that stays is at least twice as large as the next one. So
 * a part has at most 24, and however small the appends of a client are, its bytes are written only
 * a few times.
 */
export function piecesBefore(tail: readonly Piece[], bytes: number): readonly Piece[] {
  const before = [...tail]
  let size = bytes
  for (let last = before.at(-1); last !== undefined && last.size < 2 * size; last = before.at(-1)) {
    size += last.size
    before.pop()
  }
  return before
}
