import type { Context } from 'koa'
import type { FinishedTransfer, Transfer } from '../../contract'

/** What is about to move. */
export interface Cargo {
  direction: Transfer['direction']
  filename: string | null
  /** What is told instead of the bytes of the connection, for what moves on this machine alone. */
  measure?: Measure
}

/** How far something has come. */
export interface Measure {
  readonly bytes: number
  readonly size: number | null
  /** Whether all of it has arrived. */
  readonly isDone: boolean
}

/** One request whose bytes are under way. */
export interface Moving extends Cargo {
  readonly id: string
  readonly who: string | null
  readonly address: string
  readonly visitor: string
  readonly startedAt: string
  /** Bytes on the wire so far. */
  bytes(): number
  size(): number | null
  cut(): void
  isCut: boolean
  /** Bytes of the file that came, once it is known: a form has more around it. */
  carried?: number
  measured: number
  /** Bytes a second. */
  speed: number
}

/** A HEAD, an answer that nothing has changed and a refusal move nothing that anybody would want to see. */
export const hasMoved = ({ method, status }: Context) => method !== 'HEAD' && [200, 201, 204, 206].includes(status)

/** Whether two are parts of one file, by and for the same. */
export const isSame = (a: FinishedTransfer, b: FinishedTransfer): boolean =>
  (['direction', 'filename', 'who', 'address'] as const).every((name) => a[name] === b[name])

/** As the contract tells it. */
export function present(moving: Moving): Transfer {
  const { direction, filename, who, address } = moving
  const size = moving.size()
  return {
    ...{ transfer_id: moving.id, direction, filename, who, address, size },
    bytes: Math.min(moving.bytes(), size ?? Infinity),
    speed: Math.round(moving.speed),
    started_at: moving.startedAt,
  }
}
