import { connectionLost, type ApiError } from '../../../lib/client/api-client'

/** A silence this long counts as a dead connection, in ms. */
export const STALL_MS = 45_000
export const ANSWER_MS = 180_000

/** Reports a connection as lost after a silence, or after the network was offline. */
export class StallWatch {
  private timer: ReturnType<typeof setTimeout> | undefined

  /** `over`: aborted when the transfer has ended. */
  constructor(
    private readonly onLost: (cause: ApiError) => void,
    private readonly over: AbortSignal,
  ) {
    window.addEventListener('online', this.lost, { signal: over })
    over.addEventListener('abort', () => clearTimeout(this.timer))
  }

  expect(ms: number): void {
    clearTimeout(this.timer)
    if (!this.over.aborted) this.timer = setTimeout(this.lost, ms)
  }

  private readonly lost = () => this.onLost(connectionLost())
}
