import { connectionLost, type ApiError } from '../../../lib/client/api-client'

/** After so long without a byte moving, or without an answer, the connection is taken for dead. Milliseconds. */
export const STALL_MS = 45_000
export const ANSWER_MS = 180_000

/** Reports a connection as lost when nothing has been heard for too long, or when the network was away in between. */
export class StallWatch {
  private timer: ReturnType<typeof setTimeout> | undefined

  /** `over`: the transfer has ended, and nothing is expected any more. */
  constructor(
    private readonly onLost: (cause: ApiError) => void,
    private readonly over: AbortSignal,
  ) {
    window.addEventListener('online', this.lost, { signal: over })
    over.addEventListener('abort', () => clearTimeout(this.timer))
  }

  /** Something was heard; the next is expected within so many milliseconds. */
  expect(ms: number): void {
    clearTimeout(this.timer)
    if (!this.over.aborted) this.timer = setTimeout(this.lost, ms)
  }

  private readonly lost = () => this.onLost(connectionLost())
}
