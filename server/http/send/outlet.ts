import type { ServerResponse } from 'node:http'
import { ConnectionLost } from '../../core/errors'

/** The body of a response, written one piece at a time. Pending writes fail when the connection is lost. */
export class Outlet {
  #lost: boolean
  #begun = false
  #giveUp: ((error: ConnectionLost) => void) | undefined

  /** `begin` sets status and headers just before the first byte, so that an earlier error can still be reported. */
  constructor(
    private readonly response: ServerResponse,
    private readonly begin: () => void,
  ) {
    this.#lost = response.destroyed || response.socket?.destroyed === true
    const lose = () => {
      this.#lost = true
      this.#giveUp?.(new ConnectionLost())
    }
    response.once('close', lose)
    response.on('error', lose)
  }

  /** Returns once the system has accepted the bytes; until then they must not change. */
  write(bytes: Uint8Array | string): Promise<void> {
    return this.#until((done) => this.response.write(bytes, done))
  }

  end(): Promise<void> {
    return this.#until((done) => this.response.end(done))
  }

  #until(start: (done: (error?: Error | null) => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#lost) return reject(new ConnectionLost())
      this.#giveUp = reject
      if (!this.#begun) this.begin()
      this.#begun = true
      start((error) => {
        this.#giveUp = undefined
        if (error) reject(new ConnectionLost())
        else resolve()
      })
    })
  }
}
